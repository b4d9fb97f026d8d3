// Program: what a job runs, and Rules: by which rules. A Job says what it needs; a job with a
// program has a Work beside it, a job of a trace has none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/ids.hpp"

namespace weir {

struct Program {
  std::vector<std::string> argv;  // argv[0] is looked up in the PATH of the task
  std::vector<std::string> env;   // NAME=value, each name once; wins over what Weir sets
  std::string directory;          // absolute
  // Where each task's output goes: a path, %j job, %a attempt, %t rank, %n node, %u user; relative
  // to the directory. Empty: Weir keeps it on the node.
  std::string output;
  std::string error;  // empty: as output
  std::uint32_t tasks_per_node = 1;
  std::string user;  // its name on the nodes
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t umask = 022;

  friend bool operator==(const Program&, const Program&) = default;
};

// What happens to tasks of a node that nobody reaches (design 3).
enum class OnPartition : std::uint8_t {
  kContinue,  // they go on; the job is not started elsewhere without proof of their end
  kEnd,       // the node ends them itself at the lease's deadline, so that the job may go elsewhere
};
inline constexpr std::uint32_t kOnPartitions = 2;

enum class DependencyKind : std::uint8_t { kAfterOk, kAfterAny, kAfterNotOk };
inline constexpr std::uint32_t kDependencyKinds = 3;

struct Dependency {
  JobId job;
  DependencyKind kind = DependencyKind::kAfterOk;

  friend bool operator==(const Dependency&, const Dependency&) = default;
};

struct Rules {
  Duration time_limit{0};  // from the start of the tasks; 0: none
  // The signal that the tasks get `grace` before they are killed, at the limit as on cancel.
  std::uint32_t end_signal = 15;
  Duration grace{30'000'000};
  // How often it may be started again after an end of a class that is named here.
  std::uint32_t retries = 0;
  bool retry_on_failure = false;      // a task exited with another status than 0, or by a signal
  bool retry_on_node_failure = true;  // a node was lost with its tasks; counts against retries, too
  bool retry_on_time_limit = false;
  OnPartition on_partition = OnPartition::kContinue;
  bool held = false;  // waits until it is released
  Instant begin;      // not before
  std::vector<Dependency> after;

  friend bool operator==(const Rules&, const Rules&) = default;
};

struct Work {
  Program program;
  Rules rules;

  friend bool operator==(const Work&, const Work&) = default;
};

// What every work must obey; the error names the field.
Status check(const Work& work);

}  // namespace weir
