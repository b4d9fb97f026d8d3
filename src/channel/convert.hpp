// Values <-> the messages of proto/channel.proto, every field. Writing takes any value; reading
// refuses what is out of range, and the error names the field ("hello.steps[3].phase: ...").
//
// A message of a kind that this program does not know is no error: it reads as nothing, and who
// reads counts it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "channel/messages.hpp"

namespace weir::wire {
class AgentMessage;
class ControllerMessage;
class AskWitness;
class WitnessAnswer;
}  // namespace weir::wire

namespace weir::channel {

void write(const FromAgent& from, wire::AgentMessage& to);
void write(const FromController& from, wire::ControllerMessage& to);
void write(const node::AskWitness& from, wire::AskWitness& to);
void write(const node::WitnessAnswer& from, wire::WitnessAnswer& to);

// Errors: kBadInput, kLimit.
Result<std::optional<FromAgent>> read(const wire::AgentMessage& from);
Result<std::optional<FromController>> read(const wire::ControllerMessage& from);
Result<node::AskWitness> read(const wire::AskWitness& from);
Result<node::WitnessAnswer> read(const wire::WitnessAnswer& from);

// The same with the bytes of a message.
std::string bytes_of(const FromAgent& message);
std::string bytes_of(const FromController& message);
// Errors: also bytes that are no message.
Result<std::optional<FromAgent>> agent_message(std::string_view bytes);
Result<std::optional<FromController>> controller_message(std::string_view bytes);

}  // namespace weir::channel
