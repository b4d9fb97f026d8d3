// WorkRecord: a job that runs as processes, attempt by attempt. AgentRecord: what the core knows of
// a node's agent. Both are parts of the State and change with it only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/command.hpp"
#include "model/ids.hpp"
#include "model/job.hpp"
#include "model/lease.hpp"
#include "model/program.hpp"
#include "model/step.hpp"

namespace weir::state {

struct StepRecord {
  NodeId node;
  StepPhase phase = StepPhase::kStarting;
  std::vector<TaskEnd> ends;  // once ended
};

// A node that could not start a step of the job.
struct StartFailure {
  NodeId node;
  std::string detail;
  friend bool operator==(const StartFailure&, const StartFailure&) = default;
};

struct WorkRecord {
  std::shared_ptr<const Work> work;
  std::uint32_t attempt = 0;   // the present or last one
  std::uint32_t restarts = 0;  // those that count against Rules::retries
  std::uint64_t token = 0;     // of the present attempt
  bool held = false;
  std::vector<Dependency> unmet;
  std::vector<StepRecord> steps;                  // of the present attempt, by part of the lease
  std::optional<EndCause> ending;                 // what its steps have been told
  bool start_failed = false;                      // a node could not start a step of this attempt
  bool again = false;                             // pending again once it has ended
  Instant running_since = Instant::far_future();  // when all its tasks ran
  std::vector<StartFailure> failures;             // since a start last went well
};

// How a job ended, in Slurm's words (job_states of squeue).
enum class JobState : std::uint8_t {
  kCompleted,
  kFailed,
  kCancelled,
  kTimeout,
  kOutOfMemory,
  kNodeFail,  // a node was lost with its tasks, and they are proved to be gone
  kUnknown,   // nobody saw the end
};
inline constexpr std::uint32_t kJobStates = 7;

std::string_view to_text(JobState state);

// A job that has left the state, with all that was known of it.
struct Finished {
  JobId id;
  Job job;
  std::shared_ptr<const Work> work;  // null for a job without a program
  JobState state = JobState::kCompleted;
  std::string reason;  // one sentence; empty when there is nothing to say
  std::int64_t exit_code = 0;
  std::int64_t signal = 0;
  std::uint32_t attempts = 0;
  Instant submitted;
  Instant started;  // far_future: never
  Instant ended;
  Lease lease;  // the last
};

// What followed from events and decisions, for those around the core.
struct Effects {
  std::vector<JobId> eligible;  // came into the queue
  std::vector<Command> commands;
  std::vector<Finished> finished;
  bool freed = false;  // a lease came back, or nodes can be used again
};

struct AgentRecord {
  bool known = false;  // there has been a session
  bool connected = false;
  std::string boot;
  std::uint64_t session = 0;
  Instant since;                          // connected or lost
  std::vector<std::string> former_boots;  // the last few
  std::uint64_t welcome = 0;              // number of the last one to it
  // Whom the node asks when it has lost the controller; `earlier` until it knows the new ones.
  std::vector<NodeId> witnesses;
  std::vector<NodeId> earlier;
  // Whether its OnPartition::kEnd steps are over is asked of its witnesses while it is lost.
  std::uint64_t query = 0;  // the last question; earlier ones are void
  Instant asked;            // when
  Instant ask_next;         // when to ask again, if nothing else comes
  // By witness that has answered the last question: until when it may have heard the node.
  std::map<NodeId, Instant> heard_until;
  Availability wished = Availability::kUp;  // by the operator
};

}  // namespace weir::state
