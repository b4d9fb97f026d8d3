// How long pieces of work take on one core of a machine that does other work, too.
//
// A piece during which the kernel gave the core to somebody else (ru_nivcsw) says nothing about the
// work: it is left out and counted. Long runs are measured in CPU time of the process, which has
// one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include <sys/resource.h>
#include <time.h>

namespace weir::bench {

using Clock = std::chrono::steady_clock;

inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

inline std::int64_t involuntary_switches() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

// In nanoseconds.
struct Summary {
  std::size_t count = 0;
  double per_second = 0;  // count over the sum of all times
  double p50 = 0;
  double p99 = 0;
  double max = 0;
};

class Timings {
 public:
  // Times one piece of work and returns what it returns.
  template <typename Work>
  auto time(Work work) {
    const std::int64_t switches = involuntary_switches();
    const auto begin = Clock::now();
    auto result = work();
    const Clock::duration taken = Clock::now() - begin;
    // A look at the switches costs a call of the kernel: only where there may have been one.
    if (taken < kShortestSwitch || involuntary_switches() == switches) {
      times_.push_back(std::chrono::duration<double, std::nano>(taken).count());
      sum_ += times_.back();
    } else {
      ++interrupted_;
    }
    return result;
  }

  [[nodiscard]] std::size_t count() const { return times_.size(); }
  [[nodiscard]] std::size_t interrupted() const { return interrupted_; }
  [[nodiscard]] double total_seconds() const { return sum_ / 1e9; }
  [[nodiscard]] Summary summary() const {
    if (times_.empty()) return {};
    std::vector<double> sorted = times_;
    std::ranges::sort(sorted);
    const auto rank = [&](std::size_t percent) {
      return sorted[(sorted.size() * percent + 99) / 100 - 1];
    };
    return {sorted.size(), static_cast<double>(sorted.size()) / (sum_ / 1e9), rank(50), rank(99),
            sorted.back()};
  }

 private:
  static constexpr Clock::duration kShortestSwitch = std::chrono::microseconds(20);

  std::vector<double> times_;
  double sum_ = 0;
  std::size_t interrupted_ = 0;
};

}  // namespace weir::bench
