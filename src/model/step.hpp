// Step: the tasks of one attempt of a job on one node, as its weir-stepd runs them, and what is
// known of their end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/ids.hpp"
#include "model/program.hpp"

namespace weir {

struct StepId {
  JobId job;
  std::uint32_t attempt = 1;  // of the job, from 1

  friend auto operator<=>(const StepId&, const StepId&) = default;
};

enum class EndCause : std::uint8_t {
  kExited,      // by itself; code: its exit status
  kSignalled,   // by a signal that Weir did not send; code: its number
  kNotStarted,  // detail says what failed
  kCancelled,   // by a command of the controller
  kTimeLimit,
  kLeaseEnded,   // the node was cut off until the lease's deadline (OnPartition::kEnd)
  kOutOfMemory,  // the kernel killed it over the step's memory
  kWithOthers,   // another task of its step ended badly and took it along
  kUnknown,      // nobody saw its end; never guessed
};
inline constexpr std::uint32_t kEndCauses = 9;

struct TaskEnd {
  std::uint32_t rank = 0;
  EndCause cause = EndCause::kUnknown;
  std::int64_t code = 0;  // exit status or signal
  std::string detail;     // for people; empty where nothing is to be said

  friend bool operator==(const TaskEnd&, const TaskEnd&) = default;
};

enum class StepPhase : std::uint8_t {
  kStarting,  // no task of it runs yet
  kRunning,   // all its tasks were started
  kEnded,     // no process of it is left
};
inline constexpr std::uint32_t kStepPhases = 3;

// What a node knows of a step.
struct StepReport {
  StepId step;
  std::uint64_t token = 0;  // of the command that started it
  StepPhase phase = StepPhase::kStarting;
  std::vector<TaskEnd> ends;  // by rank; complete once ended

  friend bool operator==(const StepReport&, const StepReport&) = default;
};

struct TaskSpec {
  std::uint32_t rank = 0;  // in the gang
  std::vector<std::string> argv;
  std::vector<std::string> env;  // the whole environment, NAME=value
  std::string output;            // absolute path; empty: in the step's directory
  std::string error;             // absolute path; empty: with the output

  friend bool operator==(const TaskSpec&, const TaskSpec&) = default;
};

// All that a stepd needs to know.
struct StepSpec {
  StepId step;
  std::uint64_t token = 0;
  std::string user;  // its groups are looked up on the node
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t umask = 022;
  std::string directory;
  std::vector<TaskSpec> tasks;       // by rank
  std::vector<std::string> devices;  // device files of the lease
  std::vector<std::string> closed;   // device files that are closed to it
  std::uint32_t cpu_milli = 0;       // 0: no limit
  std::uint32_t memory_mib = 0;      // 0: no limit
  Duration time_limit{0};            // 0: none
  std::uint32_t end_signal = 15;
  Duration grace{0};
  OnPartition on_partition = OnPartition::kContinue;

  friend bool operator==(const StepSpec&, const StepSpec&) = default;
};

}  // namespace weir
