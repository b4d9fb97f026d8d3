#include "core/reduce.hpp"

namespace weir::core {

Result<Reduced> reduce(state::State& state, sched::Planner& planner, Instant now,
                       const Event& event) {
  Reduced reduced;
  if (std::holds_alternative<JobSubmitted>(event)) {
    WEIR_TRY(state.apply(now, event));
    reduced.submitted = state.last_job();
    planner.submitted(*state.find(reduced.submitted));
    return reduced;
  }
  if (const auto* cancelled = std::get_if<JobCancelled>(&event)) {
    if (const state::JobRecord* job = state.find(cancelled->job)) {
      if (job->phase == state::JobPhase::kPending) {
        planner.forget(*job);
      } else {
        reduced.to_end = job->id;
      }
    }
  }
  WEIR_TRY(state.apply(now, event));
  planner.capacity_freed();
  return reduced;
}

}  // namespace weir::core
