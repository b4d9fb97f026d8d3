// Event: what the core takes in. A batch of events at one instant is one turn.
#pragma once

#include <cstdint>
#include <variant>

#include "model/ids.hpp"
#include "model/job.hpp"
#include "model/live_event.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"

namespace weir {

// The tree in which later nodes stand. Only while no job holds a lease and before the first node.
struct LocalityLearned {
  Locality locality;
  friend bool operator==(const LocalityLearned&, const LocalityLearned&) = default;
};

struct NodeJoined {
  Node node;  // gets the next NodeId
  friend bool operator==(const NodeJoined&, const NodeJoined&) = default;
};

struct NodeGraded {
  NodeId node;
  Grade grade = Grade::kGood;
  friend bool operator==(const NodeGraded&, const NodeGraded&) = default;
};

struct NodeAvailabilityChanged {
  NodeId node;
  Availability availability = Availability::kUp;
  friend bool operator==(const NodeAvailabilityChanged&, const NodeAvailabilityChanged&) = default;
};

struct JobSubmitted {
  Job job;  // gets the next JobId
  friend bool operator==(const JobSubmitted&, const JobSubmitted&) = default;
};

// All tasks of the job have ended; its lease comes back.
struct JobEnded {
  JobId job;
  friend bool operator==(const JobEnded&, const JobEnded&) = default;
};

// Taken out of the queue, or ended if it runs.
struct JobCancelled {
  JobId job;
  friend bool operator==(const JobCancelled&, const JobCancelled&) = default;
};

using Event = std::variant<LocalityLearned, NodeJoined, NodeGraded, NodeAvailabilityChanged,
                           JobSubmitted, JobEnded, JobCancelled, ControllerStarted, WorkSubmitted,
                           JobHeld, JobReleased, JobRequeued, AgentConnected, WitnessesKnown,
                           AgentLost, WitnessSaid, NodeProvedDead, StepReported, TimePassed>;

}  // namespace weir
