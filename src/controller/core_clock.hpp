// CoreClock: the instants of the core. It starts at the wall clock, or at the last instant of the
// journal if that is later, and goes on by the time since boot: setting the machine's clock changes
// nothing, and it never goes back, also over restarts.
#pragma once

#include <algorithm>

#include "base/time.hpp"

namespace weir::controller {

class CoreClock {
 public:
  CoreClock() = default;
  CoreClock(Instant wall, Instant last_recorded, Duration since_boot)
      : start_(std::max(wall, last_recorded)), boot_(since_boot) {}

  [[nodiscard]] Instant at(Duration since_boot) const { return start_ + (since_boot - boot_); }
  // The time since boot at which it will be so late.
  [[nodiscard]] Duration boot_time(Instant at) const { return boot_ + (at - start_); }

 private:
  Instant start_;
  Duration boot_{0};
};

}  // namespace weir::controller
