// Timings: how long each of many equal pieces of work took, in nanoseconds.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace weir::bench {

using Clock = std::chrono::steady_clock;

inline double nanoseconds(Clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}
inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Summary {
  std::size_t count = 0;
  double per_second = 0;  // count over the sum of all times
  double p50 = 0;
  double p99 = 0;
  double max = 0;
};

class Timings {
 public:
  void add(Clock::duration d) {
    times_.push_back(nanoseconds(d));
    sum_ += times_.back();
  }
  [[nodiscard]] std::size_t count() const { return times_.size(); }
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
  std::vector<double> times_;
  double sum_ = 0;
};

}  // namespace weir::bench
