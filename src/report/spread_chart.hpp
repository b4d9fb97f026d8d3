// Which share of the multi-node jobs touch more than one unit or pod, by placement.
#pragma once

#include "report/markup.hpp"
#include "report/palette.hpp"
#include "sim/result.hpp"

namespace weir::report {

// REQUIRES: has_topology(comparison).
void draw_spread(Markup& page, const sim::Comparison& comparison, const Styles& styles);

}  // namespace weir::report
