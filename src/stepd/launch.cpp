#include "stepd/launch.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.hpp"
#include "formats/step_protocol.hpp"
#include "os/boot_clock.hpp"
#include "os/cgroup.hpp"
#include "os/durable.hpp"
#include "os/process.hpp"
#include "os/small_file.hpp"
#include "stepd/step_run.hpp"

namespace weir::stepd {
namespace {

std::string system_text(int code) { return std::generic_category().message(code); }

// The step's own /proc, so that it shows the namespace's processes. Returns what is missing.
std::string mount_own_proc() {
  if (::unshare(CLONE_NEWNS) != 0 ||
      // What is mounted on the node later still shows here; nothing of here shows there.
      ::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0 ||
      ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
    return "tasks see the node's /proc (" + system_text(errno) + ")";
  return {};
}

// In the stepd proper.
Status run_step(LaunchSetting launch, StepSpec spec, std::string group, Isolation isolation) {
  ::setsid();
  RunSetting setting;
  setting.spec = std::move(spec);
  setting.isolation = isolation;
  setting.cgroup_root = std::move(launch.cgroup_root);
  setting.group_name = std::move(group);
  setting.connection = std::move(launch.connection);
  setting.partition_deadline = launch.partition_deadline;
  // Read before /proc is that of the namespace, where we are 1.
  const auto self = os::own_state();
  if (!self) return io_error("/proc/self/stat cannot be read: is /proc mounted?");
  setting.self = {WEIR_TRY(os::boot_id()), static_cast<std::uint32_t>(self->pid),
                  self->start_ticks};
  if (isolation == Isolation::kNamespace) {
    setting.limits = mount_own_proc();
  } else {
    setting.limits = "without a PID namespace, what leaves its session may outlive a killed stepd";
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  return StepRun::run(std::move(setting));
}

// Descriptors 0 to 2 are there, all others close when a task executes its program.
Status settle_descriptors() {
  for (int fd = ::open("/dev/null", O_RDWR); fd >= 0; fd = ::open("/dev/null", O_RDWR)) {
    if (fd <= 2) continue;
    ::close(fd);
    return ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0
               ? Status()
               : io_error("descriptors cannot be closed: " + system_text(errno));
  }
  return io_error("/dev/null: cannot be opened: " + system_text(errno));
}

void make_nonblocking(const os::Descriptor& fd) {
  if (fd.is_open()) ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
}

}  // namespace

Status launch(LaunchSetting setting) {
  WEIR_TRY(settle_descriptors());
  make_nonblocking(setting.connection);
  ::umask(077);
  std::string group = WEIR_TRY(os::group_name(setting.folder));
  if (::chdir(setting.folder.c_str()) != 0)
    return io_error(setting.folder.string() + ": cannot be entered: " + system_text(errno));
  const auto lock = WEIR_TRY(os::try_lock(kLockFile));
  if (!lock) return bad_input(setting.folder.string() + ": this step has a stepd already");
  if (::access(kVoidFile, F_OK) == 0)
    return bad_input(setting.folder.string() + ": this step must not start any more");
  if (::access(kRecordFile, F_OK) == 0)
    return bad_input(setting.folder.string() + ": this step was started before");
  const std::vector<std::uint8_t> bytes =
      WEIR_TRY(os::read_small_file(kSpecFile, limits::kStepSpecBytes));
  StepSpec spec = WEIR_TRY(parse_spec(bytes));

  const bool own = setting.namespaces && ::unshare(CLONE_NEWPID) == 0;
  const Isolation isolation = own ? Isolation::kNamespace : Isolation::kSession;
  const pid_t pid = ::fork();
  if (pid < 0) return io_error("the stepd cannot be forked: " + system_text(errno));
  if (pid > 0) return {};
  return run_step(std::move(setting), std::move(spec), std::move(group), isolation);
}

}  // namespace weir::stepd
