// A packing run as JSON and as a table for a terminal.
#pragma once

#include <string>

#include "lab/packing.hpp"

namespace weir::report {

std::string packing_json(const lab::PackingReport& report);

// Pool and tasks, one row a placement; ends with a line break.
std::string packing_table(const lab::PackingReport& report);

}  // namespace weir::report
