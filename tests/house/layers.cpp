#include "house/layers.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace weir::house {
namespace {

using Cells = std::vector<std::string>;

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

// "| a | b c |" -> {"a", "b c"}; nothing for other lines and for the rule under a head.
Cells cells_of(std::string_view line) {
  Cells cells;
  if (!line.starts_with('|') || line.starts_with("|--")) return cells;
  for (std::size_t begin = 1; begin < line.size();) {
    const std::size_t end = line.find('|', begin);
    if (end == std::string_view::npos) break;
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

// A row includes only what stands above it, so the layers cannot form a circle.
void check_row_order(const Layers& layers, const SourceFile& page, Findings& broken) {
  std::set<std::string> above;
  for (const ModuleRow& row : layers.modules) {
    for (const std::string& other : row.may_include)
      if (!above.contains(other))
        broken.push_back(
            {"layer", page.path, 0, 0,
             row.name + " may include " + other + ", which stands in no row above it"});
    if (row.kind != "pure" && row.kind != "repeatable" && row.kind != "rim")
      broken.push_back({"layer", page.path, 0, 0, row.name + " is of no known kind"});
    above.insert(row.name);
  }
}

// What a file of ours may include of our modules: null where everything is allowed.
const std::vector<std::string>* allowed_for(const SourceFile& file, const Layers& layers) {
  for (const PathRow& row : layers.paths)
    if (file.path.starts_with(row.prefix)) return &row.may_include;
  const ModuleRow* row = layers.module(module_of(file));
  return row == nullptr ? nullptr : &row->may_include;
}

// Enters the file among the users of a library and says whether it is beyond the limit.
bool is_one_too_many(std::set<std::string>& users, const std::string& path,
                     const std::string& limit) {
  return users.insert(path).second && limit != "any" && users.size() > std::stoul(limit);
}

}  // namespace

const ModuleRow* Layers::module(std::string_view name) const {
  const auto row = std::ranges::find(modules, name, &ModuleRow::name);
  return row == modules.end() ? nullptr : &*row;
}

Layers parse_layers(const SourceFile& page, Findings& broken) {
  Layers layers;
  std::string table;
  for (const std::string& line : page.text_lines) {
    const Cells cells = cells_of(line);
    if (cells.empty()) continue;
    if (cells[0] == "module" || cells[0] == "library" || cells[0] == "path") {
      table = cells[0];
    } else if (table == "module" && cells.size() == 4) {
      layers.modules.push_back({cells[0], words_of(cells[1]), cells[2]});
    } else if (table == "library" && cells.size() == 4) {
      layers.libraries.push_back({cells[0], cells[1], cells[2], cells[3]});
    } else if (table == "path" && cells.size() == 2) {
      layers.paths.push_back({cells[0], words_of(cells[1])});
    } else {
      broken.push_back({"layer", page.path, 0, 0, "cannot read the row: " + line});
    }
  }
  if (layers.modules.empty()) broken.push_back({"layer", page.path, 0, 0, "no table of modules"});
  check_row_order(layers, page, broken);
  return layers;
}

Findings check_includes(const SourceFile& file, const Layers& layers) {
  Findings findings;
  const std::string own = module_of(file);
  if (!own.empty() && layers.module(own) == nullptr)
    findings.push_back({"layer", file.path, 0, 0, "src/" + own + " has no row in layers.md"});
  const std::vector<std::string>* allowed = allowed_for(file, layers);
  for (const Include& include : includes_of(file)) {
    const std::string other = include.name.substr(0, include.name.find('/'));
    const bool of_src = layers.module(other) != nullptr;
    if (include.ours && !own.empty() && !of_src && !(is_test(file) && other == "support"))
      findings.push_back({"layer", file.path, include.line, 0,
                          "include by the path below src, libraries in <>: " + include.name});
    if (!of_src || allowed == nullptr || other == own || contains(*allowed, other)) continue;
    findings.push_back({"layer", file.path, include.line, 0,
                        (own.empty() ? file.path : own) + " may not include " + include.name});
  }
  return findings;
}

Findings check_libraries(const std::vector<SourceFile>& files, const Layers& layers) {
  Findings findings;
  std::map<std::string, std::set<std::string>> users;  // files of each library
  for (const SourceFile& file : files) {
    const std::string own = module_of(file);
    if (own.empty() || is_test(file)) continue;
    for (const Include& include : includes_of(file)) {
      for (const LibraryRow& library : layers.libraries) {
        if (include.ours || library.files == "everywhere") continue;
        if (!include.name.starts_with(library.header)) continue;
        if (is_header(file))
          findings.push_back({"library", file.path, include.line, 0,
                              library.name + " in a header: hide it behind a plain interface"});
        else if (library.module != "any" && library.module != own)
          findings.push_back({"library", file.path, include.line, 0,
                              library.name + " belongs to " + library.module + " alone"});
        else if (is_one_too_many(users[library.name], file.path, library.files))
          findings.push_back({"library", file.path, include.line, 0,
                              library.name + " is included by more files than " + library.files});
      }
    }
  }
  return findings;
}

Findings check_link_dependencies(const SourceFile& cmake, const Layers& layers) {
  Findings findings;
  for (std::size_t i = 0; i < cmake.text_lines.size(); ++i) {
    std::string line = cmake.text_lines[i];
    if (!line.starts_with("weir_module(")) continue;
    std::ranges::replace_if(line, [](char c) { return c == '(' || c == ')'; }, ' ');
    const std::vector<std::string> words = words_of(line);
    const ModuleRow* row = words.size() < 2 ? nullptr : layers.module(words[1]);
    if (row == nullptr) {
      findings.push_back({"layer", cmake.path, i + 1, 0, "this module has no row in layers.md"});
      continue;
    }
    bool in_deps = false;
    for (const std::string& word : words) {
      if (word == "DEPS" || word == "LIBS") {
        in_deps = word == "DEPS";
      } else if (in_deps && !contains(row->may_include, word)) {
        findings.push_back({"layer", cmake.path, i + 1, 0, row->name + " may not link " + word});
      }
    }
  }
  return findings;
}

}  // namespace weir::house
