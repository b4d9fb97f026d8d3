#include "house/order.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

namespace weir::house {
namespace {

constexpr std::array<std::string_view, 4> kUnordered = {"unordered_map", "unordered_set",
                                                        "unordered_multimap", "unordered_multiset"};

// The index of the bracket that closes the one at `at`, or the end of the text.
std::size_t closing(std::string_view code, std::size_t at, char open, char close) {
  std::size_t depth = 0;
  for (; at < code.size(); ++at) {
    if (code[at] == open) ++depth;
    if (code[at] == close && --depth == 0) return at;
  }
  return at;
}

// `std::unordered_map<K, V> name` and its references declare `name`.
void collect_names(std::string_view code, std::set<std::string>& names) {
  for (const std::string_view container : kUnordered) {
    for (const std::size_t at : find_word(code, container)) {
      const std::size_t open = at + container.size();
      if (open >= code.size() || code[open] != '<') continue;
      std::size_t begin = closing(code, open, '<', '>') + 1;
      while (begin < code.size() && (code[begin] == '&' || code[begin] == ' ')) ++begin;
      std::size_t end = begin;
      while (end < code.size() && is_identifier_character(code[end])) ++end;
      if (end > begin) names.insert(std::string(code.substr(begin, end - begin)));
    }
  }
}

// The last name of the range in `for (auto& x : a.b_)`: "b_"; empty for other loops.
std::string ranged_name(std::string_view loop) {
  std::size_t colon = loop.find(" : ");
  if (colon == std::string_view::npos) return "";
  const std::string_view range = loop.substr(colon + 3);
  std::size_t begin = range.size();
  while (begin > 0 && is_identifier_character(range[begin - 1])) --begin;
  return std::string(range.substr(begin));
}

// What is read out of order and sorted at once, within the next few lines, is in order.
bool sorted_soon_after(const SourceFile& file, std::size_t line) {
  constexpr std::size_t kFewLines = 4;
  for (std::size_t i = line; i < std::min(line + kFewLines, file.code_lines.size()); ++i)
    if (has_word(file.code_lines[i], "sort")) return true;
  return false;
}

}  // namespace

Findings check_order(const SourceFile& file, const SourceFile* header) {
  std::set<std::string> names;
  collect_names(file.code, names);
  if (header != nullptr) collect_names(header->code, names);
  Findings findings;
  const auto report = [&](std::size_t at, const std::string& name) {
    const std::size_t line = line_of(file.code, at);
    if (sorted_soon_after(file, line)) return;
    findings.push_back(
        {"order", file.path, line, 0, "iterates the unordered container " + name + ": sort first"});
  };
  const std::string_view code = file.code;
  for (const std::size_t at : find_word(code, "for")) {
    const std::size_t open = code.find('(', at);
    if (open == std::string_view::npos) continue;
    const std::string name =
        ranged_name(code.substr(open + 1, closing(code, open, '(', ')') - open - 1));
    if (names.contains(name)) report(at, name);
  }
  for (const std::string& name : names)
    for (const std::size_t at : find_word(code, name))
      if (code.substr(at + name.size()).starts_with(".begin()")) report(at, name);
  return findings;
}

}  // namespace weir::house
