// Host expressions, names as cluster people write them: node[001-010,012], rack[1-2]srv[1-4], a,b.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace weir {

// Adds the names of an expression to `names`, in its order. The width of a range's first number
// holds for all of it, so [08-11] keeps the 0. Errors: what was expected and found; more than
// limits::kNodes names (kLimit).
Status expand_hosts(std::string_view expression, std::vector<std::string>& names);

// Names that differ only in the number at their end, counted up one by one.
struct HostRange {
  std::string_view stem;
  std::string_view first;  // digits; empty when the name ends in none
  std::string_view last;   // of the same length
  std::size_t names = 1;

  // Their numbers may share one pair of brackets.
  [[nodiscard]] bool shares_brackets_with(const HostRange& other) const {
    return stem == other.stem && !first.empty() && first.size() == other.first.size();
  }
};

// In the order of the names, which outlive the result; natural order gives the fewest ranges.
std::vector<HostRange> host_ranges(const std::vector<std::string>& names);

// The expression of these names: "srv[1101-1108,1110],login1". expand_hosts() gives the names back
// in their order; natural order gives the shortest text.
std::string host_expression(const std::vector<std::string>& names);

}  // namespace weir
