// InstructionCounter: instructions that this thread has executed in user space, counted by the
// processor (perf_event_open). Many virtual machines have no such counter.
#pragma once

#include <cstdint>
#include <optional>

namespace weir::bench {

class InstructionCounter {
 public:
  // Nothing where the kernel or the machine refuses it.
  static std::optional<InstructionCounter> open();
  ~InstructionCounter();
  InstructionCounter(InstructionCounter&& other) noexcept;
  InstructionCounter& operator=(InstructionCounter&&) = delete;

  [[nodiscard]] std::uint64_t read() const;

 private:
  explicit InstructionCounter(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace weir::bench
