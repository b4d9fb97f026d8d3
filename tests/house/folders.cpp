#include "house/folders.hpp"

#include <map>
#include <set>
#include <string>

namespace weir::house {
namespace {

struct Folder {
  const SourceFile* readme = nullptr;
  std::set<std::string> stems;  // "pool" for pool.hpp and pool.cpp; tests are named by their code
};

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string stem_of(const std::string& path) {
  const std::size_t begin = path.rfind('/') + 1;
  return path.substr(begin, path.rfind('.') - begin);
}

}  // namespace

Findings check_folders(const std::vector<SourceFile>& files) {
  std::map<std::string, Folder> folders;
  for (const SourceFile& file : files) {
    if (!below(file, "src")) continue;
    Folder& folder = folders[folder_of(file.path)];
    if (file.path.ends_with("/README.md")) folder.readme = &file;
    if (is_cpp(file) && !is_test(file)) folder.stems.insert(stem_of(file.path));
  }
  Findings findings;
  for (const auto& [path, folder] : folders) {
    if (folder.readme == nullptr && !folder.stems.empty())
      findings.push_back({"readme", path, 0, 0, "no README.md: one paragraph per file"});
    if (folder.readme == nullptr) continue;
    for (const std::string& stem : folder.stems)
      if (!has_word(folder.readme->text, stem))
        findings.push_back({"readme", path + "/README.md", 0, 0, "does not speak of " + stem});
  }
  return findings;
}

}  // namespace weir::house
