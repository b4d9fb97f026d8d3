// Time since the machine booted, its suspensions included (CLOCK_BOOTTIME). Nobody sets this clock,
// so limits and leases count on it; it starts anew with every boot, which boot_id() tells apart.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "os/descriptor.hpp"

namespace weir::os {

Duration since_boot();

// The kernel's name of this boot: a text of 36 characters, another one after every boot.
Result<std::string> boot_id();

// A descriptor that becomes readable at an instant of this clock, for os/poller.hpp.
class BootTimer {
 public:
  static Result<BootTimer> create();

  [[nodiscard]] int fd() const { return fd_.get(); }
  // Nothing: never. An instant that has passed: at once.
  void set(std::optional<Duration> at);
  // Makes it unreadable again, until it is set.
  void acknowledge();

 private:
  explicit BootTimer(Descriptor fd) : fd_(std::move(fd)) {}

  Descriptor fd_;
  std::optional<Duration> at_;
};

}  // namespace weir::os
