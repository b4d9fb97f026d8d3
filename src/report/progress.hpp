// The line that tells a waiting person how far a simulation is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/time.hpp"

namespace weir::report {

struct Progress {
  std::string policy;      // "sjf / weir"
  std::uint64_t done = 0;  // jobs of this run that ended or were refused
  std::uint64_t total = 0;
  Duration elapsed{0};   // since this run began, by the caller's clock
  std::size_t run = 0;   // 1 for the first of `runs`; 0 leaves both out
  std::size_t runs = 0;  // policies to run in all
};

// "sjf / weir  34 %  23,310 of 68,510 jobs  ETA 12 s", before it "2/9  " where runs are counted. No
// ETA before the first job is done or after the last; never "100 %" before the last. No line break.
std::string progress_line(const Progress& progress);

}  // namespace weir::report
