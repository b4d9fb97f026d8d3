// A task's process from fork to exec, in two steps: every task of a step is first made ready (user,
// limits, folder, output, program found), and only when all are ready are they let go. So a step of
// which one task cannot start has, but for an exec that fails at the very end, not run at all.
//
// The child tells through `report`: one byte kReady, or kFailed and why; then, at its exec, the end
// of the pipe.
#pragma once

#include <optional>
#include <string>

#include <sys/resource.h>
#include <sys/types.h>

#include "base/result.hpp"
#include "model/step.hpp"
#include "os/cgroup.hpp"
#include "os/descriptor.hpp"
#include "os/user.hpp"

namespace weir::stepd {

inline constexpr char kReady = 'r';
inline constexpr char kFailed = 'f';

// What all tasks of a step share. All it points at outlives the forks.
struct TaskSetting {
  const StepSpec* spec = nullptr;
  const std::optional<os::User>* user = nullptr;
  const os::StepGroup* group = nullptr;  // null: none
  rlimit files{};                        // open files, as they were before the stepd raised them
  bool die_with_parent = false;
  int go = -1;      // read end: a byte for each task lets it go
  int go_end = -1;  // write end, which a child must not hold
};

struct TaskProcess {
  pid_t pid = -1;
  os::Descriptor report;
  os::Descriptor output;  // what it writes; closed when that goes to files of the user
};

Result<TaskProcess> fork_task(const TaskSetting& setting, const TaskSpec& task);

}  // namespace weir::stepd
