// What `weir scenario` prints: a line a case, and under a failed one what differs.
#pragma once

#include <string>
#include <string_view>

#include "formats/scenario.hpp"
#include "lab/scenario_run.hpp"

namespace weir::report {

std::string scenario_text(std::string_view file, const ScenarioCase& one,
                          const lab::ScenarioResult& result);

}  // namespace weir::report
