// States and reasons in Slurm's words where the meaning is the same, so that people and scripts
// know them; beside each reason one sentence of Weir's.
#pragma once

#include <string>
#include <string_view>

#include "base/time.hpp"
#include "model/reason.hpp"
#include "pool/pool.hpp"
#include "state/state.hpp"

namespace weir::api {

// PENDING, CONFIGURING (not all its tasks run yet), RUNNING, COMPLETING (its tasks are being
// ended).
std::string_view job_state(const state::State& state, const state::JobRecord& job);

// Why it does not run.
struct Why {
  std::string_view word;  // Slurm's; "None" where there is nothing to say
  std::string sentence;
};

// `planner`: what Planner::explain() says of the job; kNone when nobody asked it.
Why why_waiting(const state::State& state, const state::JobRecord& job, const Reason& planner,
                Instant now);
// Of a job that has ended.
Why why_ended(const state::Finished& finished);

// IDLE, MIXED (something is leased), ALLOCATED (all GPUs are, or all CPUs where it has no GPU),
// DRAINING, DRAINED, DOWN.
std::string_view node_state(const state::State& state, NodeId node);
// Why it takes no new job; empty when it does.
std::string why_closed(const state::State& state, NodeId node);

// "2026-01-05T09:00:00.000000Z"
std::string time_text(Instant at);

}  // namespace weir::api
