// Takes one event into state and planner together, in the order both need.
#pragma once

#include "base/result.hpp"
#include "model/event.hpp"
#include "sched/planner.hpp"
#include "state/state.hpp"

namespace weir::core {

// What an event brought, besides the change of state.
struct Reduced {
  JobId submitted = JobId::none();  // the id of a new job
  JobId to_end = JobId::none();     // a running job without a program that was cancelled
  state::Effects effects;
};

// Error when the state cannot take the event; state and planner are then as before.
Result<Reduced> reduce(state::State& state, sched::Planner& planner, Instant now,
                       const Event& event);

}  // namespace weir::core
