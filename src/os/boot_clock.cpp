#include "os/boot_clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>

#include <sys/timerfd.h>
#include <unistd.h>

#include "base/assert.hpp"
#include "os/errors.hpp"
#include "os/small_file.hpp"

namespace weir::os {

Duration since_boot() {
  timespec now{};
  WEIR_ASSERT(::clock_gettime(CLOCK_BOOTTIME, &now) == 0);
  return Duration(std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000);
}

Result<std::string> boot_id() {
  const std::vector<std::uint8_t> bytes =
      WEIR_TRY(read_small_file("/proc/sys/kernel/random/boot_id", 64));
  std::string text(bytes.begin(), bytes.end());
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

Result<BootTimer> BootTimer::create() {
  Descriptor fd(::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!fd.is_open()) return system_error("timer", "cannot be made", errno);
  return BootTimer(std::move(fd));
}

void BootTimer::set(std::optional<Duration> at) {
  if (at == at_) return;
  at_ = at;
  itimerspec when{};
  if (at) {
    // All zeroes would mean "never".
    const std::int64_t microseconds = std::max<std::int64_t>(at->count(), 1);
    when.it_value.tv_sec = microseconds / 1'000'000;
    when.it_value.tv_nsec = microseconds % 1'000'000 * 1000;
  }
  WEIR_ASSERT(::timerfd_settime(fd_.get(), TFD_TIMER_ABSTIME, &when, nullptr) == 0);
}

void BootTimer::acknowledge() {
  std::uint64_t expirations = 0;
  if (::read(fd_.get(), &expirations, sizeof expirations) > 0) at_.reset();
}

}  // namespace weir::os
