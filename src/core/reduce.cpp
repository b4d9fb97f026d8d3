#include "core/reduce.hpp"

namespace weir::core {
namespace {

// The planner finds a pending job by its record, so it must let go of it before that is gone.
void leave_queue(const state::State& state, sched::Planner& planner, JobId id) {
  const state::JobRecord* job = state.find(id);
  if (job != nullptr && job->phase == state::JobPhase::kPending) planner.forget(*job);
}

}  // namespace

Result<Reduced> reduce(state::State& state, sched::Planner& planner, Instant now,
                       const Event& event) {
  Reduced reduced;
  if (const auto* cancelled = std::get_if<JobCancelled>(&event)) {
    leave_queue(state, planner, cancelled->job);
    const state::JobRecord* job = state.find(cancelled->job);
    if (job != nullptr && job->phase == state::JobPhase::kRunning &&
        state.work(cancelled->job) == nullptr)
      reduced.to_end = job->id;
  }
  const auto* held = std::get_if<JobHeld>(&event);
  if (held != nullptr && state.work(held->job) != nullptr) leave_queue(state, planner, held->job);
  const JobId before = state.last_job();
  WEIR_TRY(state.apply(now, event));
  if (state.last_job() != before) reduced.submitted = state.last_job();
  reduced.effects = state.take_effects();
  for (const JobId id : reduced.effects.eligible) planner.submitted(*state.find(id));
  if (reduced.effects.freed) planner.capacity_freed();
  return reduced;
}

}  // namespace weir::core
