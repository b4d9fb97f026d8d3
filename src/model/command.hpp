// Command: what leaves the core for a node once its turn is durable. May be sent again: the node
// takes each once (node/messages.hpp).
#pragma once

#include <variant>

#include "model/ids.hpp"
#include "model/step.hpp"

namespace weir {

struct StartStepOn {
  NodeId node;
  StepId step;
  friend bool operator==(const StartStepOn&, const StartStepOn&) = default;
};
struct EndStepOn {
  NodeId node;
  StepId step;
  std::uint64_t token = 0;
  EndCause cause = EndCause::kCancelled;
  friend bool operator==(const EndStepOn&, const EndStepOn&) = default;
};
struct ForgetStepOn {
  NodeId node;
  StepId step;
  friend bool operator==(const ForgetStepOn&, const ForgetStepOn&) = default;
};
// Answers a session that was taken: tells the node its witnesses and whom it watches.
struct WelcomeTo {
  NodeId node;
  friend bool operator==(const WelcomeTo&, const WelcomeTo&) = default;
};

// Asks a witness how long it has not heard of another node.
struct AskWitnessOf {
  NodeId witness;
  NodeId about;
  std::uint64_t query = 0;
  friend bool operator==(const AskWitnessOf&, const AskWitnessOf&) = default;
};

using Command = std::variant<WelcomeTo, StartStepOn, EndStepOn, ForgetStepOn, AskWitnessOf>;

}  // namespace weir
