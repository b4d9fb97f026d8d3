#include "report/host_list.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/host_expression.hpp"

namespace weir::report {
namespace {

std::string digits_text(const HostRange& range) {
  return range.names == 1 ? std::string(range.first)
                          : fmt::format("{}-{}", range.first, range.last);
}

}  // namespace

std::string host_list(const std::vector<std::string>& names, std::size_t limit) {
  const std::vector<HostRange> ranges = host_ranges(names);
  std::string text;
  std::size_t left = names.size();
  std::size_t shown = 0;
  for (std::size_t i = 0; i < ranges.size() && shown < limit;) {
    std::size_t end = i + 1;
    std::string inside = digits_text(ranges[i]);
    left -= ranges[i].names;
    ++shown;
    for (; end < ranges.size() && shown < limit && ranges[i].shares_brackets_with(ranges[end]);
         ++end, ++shown) {
      inside += "," + digits_text(ranges[end]);
      left -= ranges[end].names;
    }
    const bool plain = end == i + 1 && ranges[i].names == 1;
    if (!text.empty()) text += ", ";
    text += plain ? fmt::format("{}{}", ranges[i].stem, inside)
                  : fmt::format("{}[{}]", ranges[i].stem, inside);
    i = end;
  }
  if (left > 0) text += fmt::format(" and {} more", with_thousands(left));
  return text;
}

}  // namespace weir::report
