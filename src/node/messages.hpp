// The messages between a node's agent and its controller, and between an agent and its witnesses,
// as values. src/channel puts them on the wire; the simulator passes them as they are.
//
// Every message may be lost, doubled or late. Commands carry the controller's epoch: an agent
// ignores what an older controller says. A step is named by job and attempt, and an agent never
// starts the same step twice.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "model/node.hpp"
#include "model/step.hpp"

namespace weir::node {

// ---- from the agent

// A GPU of a node, in the order in which its driver numbers them.
struct GpuOfNode {
  std::string uuid;    // "GPU-…", as NVML says; what CUDA_VISIBLE_DEVICES takes
  std::string device;  // its device file; empty where there is none
  friend bool operator==(const GpuOfNode&, const GpuOfNode&) = default;
};

// The first message of a session. `steps` are all that this node still keeps.
struct Hello {
  std::string name;           // of the node
  std::string boot;           // boot id of its kernel: another one proves that no old task lives
  std::string version;        // of the agent's program
  std::uint64_t session = 0;  // grows with each connection within a boot, over lives of the agent
  NodeKind kind;
  RailMask rails = 0;
  std::vector<StepReport> steps;   // by step
  std::int64_t wall_clock_us = 0;  // the node's clock, to show its skew
  std::vector<GpuOfNode> gpus;     // as many as the kind has
  // host:port where it answers those whose witness it is; an empty host: where it connects from.
  std::string witness_address;

  friend bool operator==(const Hello&, const Hello&) = default;
};

// A step is now as told here. Each Hello tells it again, until the controller says ForgetStep.
struct StepChanged {
  StepReport report;
  friend bool operator==(const StepChanged&, const StepChanged&) = default;
};

struct Heartbeat {
  std::uint64_t number = 0;   // since the agent started, from 1
  std::uint64_t welcome = 0;  // number of the Welcome that this node goes by; 0: none
  std::int64_t wall_clock_us = 0;
  friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
};

// Answers a WitnessQuery: how long this node has not heard a question of that one, by its own
// clock; since its agent started when it never has.
struct WitnessSays {
  std::uint64_t query = 0;
  std::string about;
  Duration unheard{0};
  friend bool operator==(const WitnessSays&, const WitnessSays&) = default;
};

using ToController = std::variant<Hello, StepChanged, Heartbeat, WitnessSays>;

// ---- from the controller

struct Peer {
  std::string name;
  std::string address;  // host:port of its agent
  friend bool operator==(const Peer&, const Peer&) = default;
};

// Answers Hello; again whenever witnesses change.
struct Welcome {
  std::uint64_t session = 0;  // of the Hello that it answers
  std::uint64_t number = 0;   // grows with each to this node
  std::uint64_t epoch = 0;    // how often this controller's store has been opened
  Duration heartbeat{0};      // an agent sends one this often
  // A session in which nothing came for so long is dead, at both ends.
  Duration silence{0};
  // Tasks of OnPartition::kEnd leases are ended so long after the last proof that the controller is
  // there, or down.
  Duration deadline{0};
  std::vector<Peer> witnesses;  // whom this node asks when it has lost the controller
  friend bool operator==(const Welcome&, const Welcome&) = default;
};

struct HeartbeatSeen {
  std::uint64_t number = 0;
  friend bool operator==(const HeartbeatSeen&, const HeartbeatSeen&) = default;
};

struct StartStep {
  std::uint64_t epoch = 0;
  StepSpec spec;
  friend bool operator==(const StartStep&, const StartStep&) = default;
};

// Ends a step that runs, and makes sure that one that is not here never starts.
struct EndStep {
  std::uint64_t epoch = 0;
  StepId step;
  std::uint64_t token = 0;
  EndCause cause = EndCause::kCancelled;
  friend bool operator==(const EndStep&, const EndStep&) = default;
};

// The end of the step is durable at the controller: the node may drop what it kept of it.
struct ForgetStep {
  std::uint64_t epoch = 0;
  StepId step;
  friend bool operator==(const ForgetStep&, const ForgetStep&) = default;
};

// "How long have you not heard of that node?"
struct WitnessQuery {
  std::uint64_t query = 0;
  std::string about;
  friend bool operator==(const WitnessQuery&, const WitnessQuery&) = default;
};

using ToAgent = std::variant<Welcome, HeartbeatSeen, StartStep, EndStep, ForgetStep, WitnessQuery>;

// ---- between agents

// "I have lost the controller: have you?"
struct AskWitness {
  std::string from;
  std::uint64_t number = 0;
  friend bool operator==(const AskWitness&, const AskWitness&) = default;
};

struct WitnessAnswer {
  std::string from;
  std::uint64_t number = 0;  // of the question
  bool has_controller = false;
  friend bool operator==(const WitnessAnswer&, const WitnessAnswer&) = default;
};

using BetweenAgents = std::variant<AskWitness, WitnessAnswer>;

}  // namespace weir::node
