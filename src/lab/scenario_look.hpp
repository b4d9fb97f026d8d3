// Compares one expectation of a scenario with the world as it is.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "fabric/site_view.hpp"
#include "formats/scenario.hpp"
#include "model/reason.hpp"
#include "sched/planner.hpp"
#include "state/state.hpp"

namespace weir::lab {

// When every case begins.
inline constexpr Instant kScenarioBegin{0};

struct ScenarioJob {
  JobId id;
  std::string phase;  // as Expectation::phase
  Reason refusal;
};

struct ScenarioWorld {
  const state::State& state;
  const sched::Planner& planner;
  const std::map<std::string, ScenarioJob>& jobs;
  const std::map<std::string, NodeId>& nodes;
  const fabric::SiteView* view;  // null where the case has no switches
};

struct Difference {
  std::string what;
  std::string expected;
  std::string found;
};

// Empty when everything is as expected. Error: the subject does not exist, or is not a thing of
// which this can be asked.
Result<std::vector<Difference>> look(const ScenarioWorld& world, const Expectation& expectation);

}  // namespace weir::lab
