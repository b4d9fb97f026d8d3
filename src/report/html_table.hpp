// The comparison table on the page: the same columns as on the terminal, none left out.
#pragma once

#include "report/markup.hpp"
#include "report/palette.hpp"
#include "sim/result.hpp"

namespace weir::report {

// Rows begin with the sample of the run's line, so that the table is the legend as well.
void write_table(Markup& page, const sim::Comparison& comparison, const Styles& styles);

}  // namespace weir::report
