// The table of docs/design/layers.md, and the rules that hold the tree to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "house/finding.hpp"
#include "house/source_tree.hpp"

namespace weir::house {

struct ModuleRow {
  std::string name;
  std::vector<std::string> may_include;  // other modules
  std::string kind;                      // pure, repeatable or rim
};

struct LibraryRow {
  std::string name;
  std::string header;  // how the name of its headers begins
  std::string module;  // "any"
  std::string files;   // how many implementation files may include it, "any" or "everywhere"
};

struct PathRow {
  std::string prefix;  // paths that begin so
  std::vector<std::string> may_include;
};

struct Layers {
  std::vector<ModuleRow> modules;
  std::vector<LibraryRow> libraries;
  std::vector<PathRow> paths;

  [[nodiscard]] const ModuleRow* module(std::string_view name) const;
};

// Reads the three tables; what is wrong with them goes to `broken`.
Layers parse_layers(const SourceFile& page, Findings& broken);

// Rule `layer`: what a file includes of ours, and that its module has a row.
Findings check_includes(const SourceFile& file, const Layers& layers);

// Rule `library`: who includes which heavy library.
Findings check_libraries(const std::vector<SourceFile>& files, const Layers& layers);

// Rule `layer`: weir_module(NAME DEPS ...) of CMakeLists.txt links no more than the table allows.
Findings check_link_dependencies(const SourceFile& cmake, const Layers& layers);

}  // namespace weir::house
