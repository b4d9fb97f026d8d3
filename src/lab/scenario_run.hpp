// Runs the cases of scenario files through the core's engine and tells what was not as expected.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "formats/scenario.hpp"

namespace weir::lab {

struct ScenarioFailure {
  std::size_t line = 0;
  std::string what;      // "on", "phase", or what could not be done
  std::string expected;  // empty where a step itself failed
  std::string found;
};

struct ScenarioResult {
  std::vector<ScenarioFailure> failures;  // in the order of the file
  std::size_t expectations = 0;           // that were looked at
  std::size_t restarts = 0;
};

// Every case also holds these: a restart gives the state byte for byte, and planning the whole
// journal again decides the same.
ScenarioResult run(const ScenarioCase& one);

}  // namespace weir::lab
