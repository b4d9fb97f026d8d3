#include "os/machine.hpp"

#include <array>
#include <chrono>
#include <csignal>

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "os/errors.hpp"

namespace weir::os {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "localhost";
}

std::uint32_t cpus() {
  const long count = ::sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<std::uint32_t>(count) : 1;
}

std::uint64_t memory_mib() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long bytes = ::sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || bytes <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) >> 20;
}

Instant wall_clock() {
  return Instant(
      std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch())
          .count());
}

Result<Descriptor> stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0)
    return io_error("signals cannot be blocked");
  Descriptor fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd.is_open()) return io_error("signals cannot be read");
  return fd;
}

void end_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGTERM); }

}  // namespace weir::os
