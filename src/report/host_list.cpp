#include "report/host_list.hpp"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir::report {
namespace {

struct Name {
  std::string_view stem;
  std::string_view digits;  // at the end; empty when there are none, or too many for a number
  std::uint64_t number = 0;
};

Name split_name(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  const auto number = parse_unsigned(text.substr(begin));
  if (!number) return {text, {}, 0};
  return {text.substr(0, begin), text.substr(begin), *number};
}

bool share_brackets(const Name& a, const Name& b) {
  return a.stem == b.stem && !a.digits.empty() && a.digits.size() == b.digits.size();
}

struct Range {
  Name first;
  Name last;
  std::size_t names = 1;
};

std::vector<Range> ranges_of(const std::vector<std::string>& names) {
  std::vector<Range> ranges;
  for (const std::string& text : names) {
    const Name name = split_name(text);
    if (!ranges.empty() && share_brackets(ranges.back().last, name) &&
        name.number == ranges.back().last.number + 1) {
      ranges.back().last = name;
      ++ranges.back().names;
    } else {
      ranges.push_back({name, name});
    }
  }
  return ranges;
}

std::string digits_text(const Range& range) {
  return range.names == 1 ? std::string(range.first.digits)
                          : fmt::format("{}-{}", range.first.digits, range.last.digits);
}

}  // namespace

std::string host_list(const std::vector<std::string>& names, std::size_t limit) {
  const std::vector<Range> ranges = ranges_of(names);
  std::string text;
  std::size_t left = names.size();
  std::size_t shown = 0;
  for (std::size_t i = 0; i < ranges.size() && shown < limit;) {
    std::size_t end = i + 1;
    std::string inside = digits_text(ranges[i]);
    left -= ranges[i].names;
    ++shown;
    for (;
         end < ranges.size() && shown < limit && share_brackets(ranges[i].first, ranges[end].first);
         ++end, ++shown) {
      inside += "," + digits_text(ranges[end]);
      left -= ranges[end].names;
    }
    const bool plain = end == i + 1 && ranges[i].names == 1;
    if (!text.empty()) text += ", ";
    text += plain ? fmt::format("{}{}", ranges[i].first.stem, inside)
                  : fmt::format("{}[{}]", ranges[i].first.stem, inside);
    i = end;
  }
  if (left > 0) text += fmt::format(" and {} more", with_thousands(left));
  return text;
}

}  // namespace weir::report
