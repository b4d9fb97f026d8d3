// best_effort: says of a call that its failure changes nothing where it is made.
#pragma once

#include "base/result.hpp"

namespace weir::os {

inline void best_effort(const Status& /*status*/) {}

}  // namespace weir::os
