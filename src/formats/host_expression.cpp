#include "formats/host_expression.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir {
namespace {

std::unexpected<Error> too_many() {
  return over_limit(
      fmt::format("an expression of more than {} names", with_thousands(limits::kNodes)));
}

// "001-010" or "7": the numbers as texts.
Status expand_range(std::string_view text, std::vector<std::string>& numbers) {
  const std::size_t dash = text.find('-');
  const std::string_view low = text.substr(0, dash);
  const std::string_view high = dash == std::string_view::npos ? low : text.substr(dash + 1);
  const auto first = parse_unsigned(low);
  const auto last = parse_unsigned(high);
  if (!first || !last || *first > *last)
    return bad_input(
        fmt::format("expected a number or a range such as 001-010 in brackets, found "
                    "{}",
                    quoted(text)));
  if (*last - *first >= limits::kNodes - numbers.size()) return too_many();
  for (std::uint64_t n = *first; n <= *last; ++n)
    numbers.push_back(fmt::format("{:0{}}", n, low.size()));
  return {};
}

// Appends each of `endings` to each of `names`.
Status cross(std::vector<std::string>& names, const std::vector<std::string>& endings) {
  if (names.size() * endings.size() > limits::kNodes) return too_many();
  std::vector<std::string> result;
  result.reserve(names.size() * endings.size());
  for (const std::string& name : names)
    for (const std::string& ending : endings) {
      if (name.size() + ending.size() > limits::kNameBytes)
        return over_limit(
            fmt::format("a name of more than {} bytes: {}", limits::kNameBytes, quoted(name)));
      result.push_back(name + ending);
    }
  names = std::move(result);
  return {};
}

// One name or pattern, without commas outside brackets.
Status expand_one(std::string_view text, std::vector<std::string>& names) {
  if (text.empty()) return bad_input("expected a name, found nothing between commas");
  if (text.find_first_of(" \t") != std::string_view::npos)
    return bad_input(fmt::format("expected a name without blanks, found {}", quoted(text)));
  const std::string_view whole = text;
  std::vector<std::string> made = {""};
  while (!text.empty()) {
    const std::size_t open = text.find_first_of("[]");
    if (Status status = cross(made, {std::string(text.substr(0, open))}); !status) return status;
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find(']', open);
    if (text[open] == ']' || close == std::string_view::npos)
      return bad_input(fmt::format("expected brackets in pairs, found {}", quoted(whole)));
    std::vector<std::string> numbers;
    for (const std::string_view range : split(text.substr(open + 1, close - open - 1), ','))
      if (Status status = expand_range(range, numbers); !status) return status;
    if (Status status = cross(made, numbers); !status) return status;
    text.remove_prefix(close + 1);
  }
  if (names.size() + made.size() > limits::kNodes) return too_many();
  std::ranges::move(made, std::back_inserter(names));
  return {};
}

HostRange split_name(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  // A number too long to count with belongs to the name.
  if (!parse_unsigned(text.substr(begin))) return {text, {}, {}};
  return {text.substr(0, begin), text.substr(begin), text.substr(begin)};
}

bool follows(const HostRange& range, const HostRange& next) {
  return range.stem == next.stem && !range.last.empty() && range.last.size() == next.first.size() &&
         *parse_unsigned(range.last) + 1 == *parse_unsigned(next.first);
}

}  // namespace

Status expand_hosts(std::string_view expression, std::vector<std::string>& names) {
  std::vector<std::string> found;
  std::size_t depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= expression.size(); ++i) {
    if (i < expression.size() && expression[i] == '[') ++depth;
    if (i < expression.size() && expression[i] == ']' && depth > 0) --depth;
    if (i < expression.size() && (expression[i] != ',' || depth > 0)) continue;
    if (Status status = expand_one(expression.substr(begin, i - begin), found); !status)
      return status;
    begin = i + 1;
  }
  std::ranges::move(found, std::back_inserter(names));
  return {};
}

std::vector<HostRange> host_ranges(const std::vector<std::string>& names) {
  std::vector<HostRange> ranges;
  for (const std::string& text : names) {
    const HostRange name = split_name(text);
    if (!ranges.empty() && follows(ranges.back(), name)) {
      ranges.back().last = name.last;
      ++ranges.back().names;
    } else {
      ranges.push_back(name);
    }
  }
  return ranges;
}

std::string host_expression(const std::vector<std::string>& names) {
  const std::vector<HostRange> ranges = host_ranges(names);
  std::string text;
  for (std::size_t i = 0; i < ranges.size();) {
    std::size_t end = i;
    std::string inside;
    for (; end < ranges.size() && (end == i || ranges[i].shares_brackets_with(ranges[end])); ++end)
      inside += fmt::format("{}{}{}", end == i ? "" : ",", ranges[end].first,
                            ranges[end].names == 1 ? "" : fmt::format("-{}", ranges[end].last));
    const bool plain = end == i + 1 && ranges[i].names == 1;
    text += fmt::format("{}{}{}{}{}", text.empty() ? "" : ",", ranges[i].stem, plain ? "" : "[",
                        inside, plain ? "" : "]");
    i = end;
  }
  return text;
}

}  // namespace weir
