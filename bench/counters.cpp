#include "counters.hpp"

#include <utility>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weir::bench {

std::optional<InstructionCounter> InstructionCounter::open() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  // perf_event_paranoid = 2 allows a process to count itself, outside the kernel only.
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const long fd = ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0UL);
  if (fd < 0) return std::nullopt;
  return InstructionCounter(static_cast<int>(fd));
}

InstructionCounter::~InstructionCounter() {
  if (fd_ >= 0) ::close(fd_);
}

InstructionCounter::InstructionCounter(InstructionCounter&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

std::uint64_t InstructionCounter::read() const {
  std::uint64_t count = 0;
  return ::read(fd_, &count, sizeof count) == sizeof count ? count : 0;
}

}  // namespace weir::bench
