// Live events: what the core takes in where jobs run as processes on nodes with agents.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/ids.hpp"
#include "model/job.hpp"
#include "model/program.hpp"
#include "model/step.hpp"

namespace weir {

// A controller has opened the store; the rules by which it watches nodes.
struct ControllerStarted {
  // Tasks of OnPartition::kEnd leases are ended by their node so long after its last proof that
  // the controller is there, or is down; `margin` later the controller relies on it.
  Duration deadline{0};
  Duration margin{0};
  friend bool operator==(const ControllerStarted&, const ControllerStarted&) = default;
};

// A job with a program; gets the next JobId.
struct WorkSubmitted {
  Job job;
  std::shared_ptr<const Work> work;  // never null
  friend bool operator==(const WorkSubmitted& a, const WorkSubmitted& b) {
    return a.job == b.job && *a.work == *b.work;
  }
};

// A pending job waits until it is released. A running one is not touched.
struct JobHeld {
  JobId job;
  friend bool operator==(const JobHeld&, const JobHeld&) = default;
};
struct JobReleased {
  JobId job;
  friend bool operator==(const JobReleased&, const JobReleased&) = default;
};

// Ended where it runs, then pending again.
struct JobRequeued {
  JobId job;
  friend bool operator==(const JobRequeued&, const JobRequeued&) = default;
};

// An agent has opened a session and told all steps that its node keeps.
struct AgentConnected {
  NodeId node;
  std::string boot;
  std::uint64_t session = 0;  // grows within a boot
  std::vector<StepReport> steps;
  friend bool operator==(const AgentConnected&, const AgentConnected&) = default;
};

// The agent goes by this Welcome, so it knows its witnesses.
struct WitnessesKnown {
  NodeId node;
  std::uint64_t welcome = 0;
  friend bool operator==(const WitnessesKnown&, const WitnessesKnown&) = default;
};

struct AgentLost {
  NodeId node;
  std::uint64_t session = 0;
  friend bool operator==(const AgentLost&, const AgentLost&) = default;
};

// A witness has answered: for so long, by its own clock, it has not heard a question of the node.
struct WitnessSaid {
  NodeId witness;
  NodeId about;
  std::uint64_t query = 0;  // that it answers
  Duration unheard{0};
  friend bool operator==(const WitnessSaid&, const WitnessSaid&) = default;
};

// Somebody who must know says that nothing runs on the node any more: its power is off.
struct NodeProvedDead {
  NodeId node;
  friend bool operator==(const NodeProvedDead&, const NodeProvedDead&) = default;
};

struct StepReported {
  NodeId node;
  StepReport report;
  friend bool operator==(const StepReported&, const StepReported&) = default;
};

// Something that waits for an instant may be due.
struct TimePassed {
  friend bool operator==(const TimePassed&, const TimePassed&) = default;
};

}  // namespace weir
