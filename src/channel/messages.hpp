// What travels in the session of an agent with its controller: the words of node/messages.hpp, and
// output of tasks, which passes the agent's state machine by.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "model/step.hpp"
#include "node/messages.hpp"

namespace weir::channel {

enum class OutputStream : std::uint8_t { kOutput, kError };
inline constexpr std::uint32_t kOutputStreams = 2;

// The controller wants a part of what a task wrote.
struct OutputWanted {
  std::uint64_t request = 0;  // the number that answers bear
  StepId step;
  std::uint32_t rank = 0;
  OutputStream stream = OutputStream::kOutput;
  std::uint64_t offset = 0;  // in all that the task ever wrote, rotated files too
  std::uint64_t most = 0;    // bytes, 1 to limits::kOutputPartBytes

  friend bool operator==(const OutputWanted&, const OutputWanted&) = default;
};

// The answer. Fewer bytes than asked for, or none, mean that no more are there yet.
struct OutputPart {
  std::uint64_t request = 0;
  std::uint64_t offset = 0;  // of its first byte; beyond the one asked for where rotation took some
  std::string data;
  bool end = false;   // the task has ended and this was its last byte
  std::string error;  // why there is none; empty where all is well

  friend bool operator==(const OutputPart&, const OutputPart&) = default;
};

using FromAgent = std::variant<node::ToController, OutputPart>;
using FromController = std::variant<node::ToAgent, OutputWanted>;

}  // namespace weir::channel
