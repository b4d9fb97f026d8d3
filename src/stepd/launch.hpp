// Launch: from the command line to a running step. The process that was started only looks whether
// the step may start and forks the stepd proper, which nobody waits for: it outlives the agent.
#pragma once

#include <filesystem>
#include <optional>

#include "base/result.hpp"
#include "base/time.hpp"
#include "os/descriptor.hpp"

namespace weir::stepd {

struct LaunchSetting {
  std::filesystem::path folder;  // of the step
  std::filesystem::path cgroup_root = "/sys/fs/cgroup";
  bool namespaces = true;                      // one of its own for PIDs, where that is permitted
  os::Descriptor connection;                   // to the agent; may be none
  std::optional<Duration> partition_deadline;  // since boot
};

// In the process that was started: returns when the stepd proper is on its way. In the stepd: when
// the step has ended. Errors: another stepd holds the step, it is void, or its specification cannot
// be read; no task was started then.
Status launch(LaunchSetting setting);

}  // namespace weir::stepd
