// Host lists as cluster people write them, read: gpu[001-003,007],login1 names five hosts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace weir {

// The names in the order of the text. One pair of brackets a name; numbers keep the zeros in front.
// Errors: brackets that do not match, a range that goes down or is no number, an empty name, more
// than `most` names (kLimit).
Result<std::vector<std::string>> expand_hosts(std::string_view text, std::size_t most);

}  // namespace weir
