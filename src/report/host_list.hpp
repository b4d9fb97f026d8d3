// Host lists as cluster people write them: luna-[0061-0076,0097-0100].
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weir::report {

// Names that differ only in the number at their end share brackets; numbers of different width do
// not. After `limit` ranges the rest is counted ("and 3 more"). REQUIRES: names in natural order.
std::string host_list(const std::vector<std::string>& names, std::size_t limit = 8);

}  // namespace weir::report
