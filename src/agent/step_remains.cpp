#include "agent/step_remains.hpp"

#include <algorithm>
#include <csignal>
#include <vector>

#include <sys/types.h>

#include "os/boot_clock.hpp"
#include "os/cgroup.hpp"
#include "os/poller.hpp"
#include "os/process.hpp"

namespace weir::agent {
namespace {

constexpr Duration kKillTime{5'000'000};

// Ends all of a session whose leader is gone. A session's number is not used again while a process
// of it lives; a living process of that number means that it was, and that nothing of ours lives.
Status end_session(const stepd::ProcessName& leader) {
  const Duration end = os::since_boot() + kKillTime;
  for (;;) {
    std::vector<os::Descriptor> dying;
    const auto session = static_cast<pid_t>(leader.pid);
    const std::vector<os::ProcessState> all = os::all_processes();
    const auto same_number = [&](const os::ProcessState& process) {
      return process.pid == session && process.start_ticks != leader.start_ticks;
    };
    if (std::ranges::any_of(all, same_number)) return {};
    for (const os::ProcessState& process : all) {
      if (process.session != session || process.ended || process.pid == session ||
          process.start_ticks < leader.start_ticks)
        continue;
      auto fd = os::open_process(process.pid);
      if (!fd) continue;
      ::kill(process.pid, SIGKILL);
      dying.push_back(*std::move(fd));
    }
    if (dying.empty()) return {};
    for (const os::Descriptor& process : dying)
      if (!os::wait_readable(process.get(), end - os::since_boot()))
        return io_error("a task's process does not end, it hangs in the kernel");
  }
}

}  // namespace

Result<std::optional<os::Descriptor>> still_ending(const stepd::ProcessName& stepd) {
  const std::string boot = WEIR_TRY(os::boot_id());
  if (boot != stepd.boot) return std::nullopt;
  auto process = os::open_process(static_cast<pid_t>(stepd.pid));
  if (!process) return std::nullopt;
  // Looked at while the descriptor holds it: it is this process, or the pid is another's by now.
  const auto state = os::process_state(static_cast<pid_t>(stepd.pid));
  if (!state || state->ended || state->start_ticks != stepd.start_ticks) return std::nullopt;
  return process;
}

Status clear_remains(const std::optional<stepd::Started>& started,
                     const std::filesystem::path& cgroup_root, const std::string& group_name) {
  const os::StepGroup group = os::StepGroup::find(cgroup_root, group_name);
  WEIR_TRY(group.kill_all());
  const std::string boot = WEIR_TRY(os::boot_id());
  if (started && started->stepd.boot == boot && started->isolation == stepd::Isolation::kSession)
    WEIR_TRY(end_session(started->stepd));
  return group.remove();
}

}  // namespace weir::agent
