// What `weir serve` and `weir up` have in common, and their log.
#pragma once

#include <string_view>

#include "controller/controller.hpp"

namespace weir::cli {

// The usual settings of a live controller; addresses and folders are the caller's.
controller::ControllerOptions live_controller();

// A line to standard error, with the time of day.
void log_line(std::string_view line);

}  // namespace weir::cli
