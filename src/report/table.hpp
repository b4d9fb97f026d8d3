// The comparison on a terminal: every order and placement side by side, and what the figures mean.
#pragma once

#include <cstddef>
#include <string>

#include "sim/result.hpp"

namespace weir::report {

struct TableStyle {
  std::size_t width = 100;  // columns of the terminal; less important figures go when it is narrow
  bool colour = false;      // bold and dim by ANSI sequences; without, the best figures carry a *
};

// Pool and trace, the table, the sentences of verdict(); ends with a line break. Where not even
// the columns that always stay fit, lines are longer than `width`. Names are made safe to print.
std::string comparison_table(const sim::Comparison& comparison, TableStyle style = {});

}  // namespace weir::report
