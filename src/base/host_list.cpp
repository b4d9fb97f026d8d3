#include "base/host_list.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir {
namespace {

std::unexpected<Error> bad_list(std::string_view text, std::string_view what) {
  return bad_input(fmt::format("host list {}: {}; expected names like gpu[001-003,007],login1",
                               quoted(text), what));
}

// One item between the commas of a bracket: "7" or "001-003".
Status append_range(std::string_view list, std::string_view head, std::string_view item,
                    std::string_view tail, std::size_t most, std::vector<std::string>& names) {
  const std::size_t dash = item.find('-');
  const std::string_view from = item.substr(0, dash);
  const std::string_view to = dash == std::string_view::npos ? from : item.substr(dash + 1);
  const auto first = parse_unsigned(from);
  const auto last = parse_unsigned(to);
  if (!first || !last) return bad_list(list, fmt::format("{} is no range", quoted(item)));
  if (*last < *first) return bad_list(list, fmt::format("{} goes down", quoted(item)));
  if (*last - *first >= most || names.size() + (*last - *first) >= most)
    return over_limit(fmt::format("host list {}: more than {} names", quoted(list), most));
  for (std::uint64_t number = *first; number <= *last; ++number)
    names.push_back(fmt::format("{}{:0{}}{}", head, number, from.size(), tail));
  return {};
}

Status append_name(std::string_view list, std::string_view name, std::size_t most,
                   std::vector<std::string>& names) {
  if (name.empty()) return bad_list(list, "a name is empty");
  if (names.size() >= most)
    return over_limit(fmt::format("host list {}: more than {} names", quoted(list), most));
  const std::size_t open = name.find('[');
  const std::size_t close = name.find(']');
  if (open == std::string_view::npos && close == std::string_view::npos) {
    names.emplace_back(name);
    return {};
  }
  const bool paired = open < close && close != std::string_view::npos &&
                      name.find_first_of("[]", open + 1) == close &&
                      name.find_first_of("[]", close + 1) == std::string_view::npos;
  if (!paired) return bad_list(list, "brackets do not match, or there are several in one name");
  for (const std::string_view item : split(name.substr(open + 1, close - open - 1), ','))
    WEIR_TRY(append_range(list, name.substr(0, open), item, name.substr(close + 1), most, names));
  return {};
}

}  // namespace

Result<std::vector<std::string>> expand_hosts(std::string_view text, std::size_t most) {
  std::vector<std::string> names;
  bool inside = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '[') inside = true;
    if (c == ']') inside = false;
    if (c != ',' || (inside && i < text.size())) continue;
    WEIR_TRY(append_name(text, trim(text.substr(begin, i - begin)), most, names));
    begin = i + 1;
  }
  return names;
}

}  // namespace weir
