// Stopwatch: the only clock of Weir's programs that run off line, for progress and its ETA. What it
// says may reach the terminal, never a decision, a journal or a report that must be repeatable.
#pragma once

#include <chrono>

namespace weir::os {

class Stopwatch {
 public:
  // Seconds since it was made; never goes back.
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace weir::os
