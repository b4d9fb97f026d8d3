// The rules of the house on the working tree. Findings are listed in full, so that one run is
// enough.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "house/finding.hpp"
#include "house/folders.hpp"
#include "house/layers.hpp"
#include "house/order.hpp"
#include "house/purity.hpp"
#include "house/sizes.hpp"
#include "house/source_tree.hpp"
#include "house/texts.hpp"

namespace weir::house {
namespace {

const SourceFile* file_at(const std::vector<SourceFile>& files, const std::string& path) {
  const auto file = std::ranges::find(files, path, &SourceFile::path);
  return file == files.end() ? nullptr : &*file;
}

void append(Findings& all, Findings more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void check_code(const SourceFile& file, const std::vector<SourceFile>& files, const Layers& layers,
                Findings& findings) {
  append(findings, check_includes(file, layers));
  append(findings, check_purity(file, layers));
  append(findings, check_sizes(file));
  const std::string header = file.path.substr(0, file.path.rfind('.')) + ".hpp";
  append(findings, check_order(file, header == file.path ? nullptr : file_at(files, header)));
}

TEST(Tree, KeepsTheRulesOfTheHouse) {
  const std::vector<SourceFile> files = read_tree(WEIR_SOURCE_TREE);
  const SourceFile* page = file_at(files, "docs/design/layers.md");
  const SourceFile* cmake = file_at(files, "CMakeLists.txt");
  const SourceFile* list = file_at(files, "tests/house/exceptions.txt");
  ASSERT_TRUE(page != nullptr && cmake != nullptr && list != nullptr) << WEIR_SOURCE_TREE;

  Findings findings;
  const Layers layers = parse_layers(*page, findings);
  append(findings, check_link_dependencies(*cmake, layers));
  append(findings, check_libraries(files, layers));
  append(findings, check_folders(files));
  for (const SourceFile& file : files) {
    append(findings, check_texts(file));
    if (is_cpp(file)) check_code(file, files, layers, findings);
  }
  Findings broken;
  const std::vector<Exception> exceptions = parse_exceptions(list->text, broken);
  append(broken, without_exceptions(findings, exceptions));

  std::string report;
  for (const Finding& finding : broken) report += sentence(finding) + "\n";
  EXPECT_TRUE(broken.empty()) << broken.size() << " finding(s):\n" << report;
}

}  // namespace
}  // namespace weir::house
