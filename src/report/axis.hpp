// Scales and their ticks: where a value lies on paper, and which values are worth a label.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace weir::report {

struct Tick {
  double value = 0;
  std::string label;
};

// Values to pixels. `pixel_low` may lie below `pixel_high` or above it (y grows downwards).
struct Scale {
  enum class Kind { kLinear, kLog, kLogFromZero };  // log10(v), log10(1 + v)

  double low = 0;
  double high = 1;
  double pixel_low = 0;
  double pixel_high = 1;
  Kind kind = Kind::kLinear;

  // Values outside the scale land on its nearer end.
  [[nodiscard]] double operator()(double value) const;
};

// 0, 2,000, 4,000 …: about `wanted` round steps, the last one at or above `high`.
std::vector<Tick> count_ticks(double high, std::size_t wanted);

// 0, 1, 10, 100 …: the last one at or above `high`. For a scale of kLogFromZero.
std::vector<Tick> decade_ticks(double high);

// 1 s, 10 s, 1 min, 10 min, 1 h …: the last one at or above `high` seconds. For a scale of kLog.
std::vector<Tick> duration_ticks(double high);

// A stretch of time. Logs begin at a date; made-up workloads begin near 1970, and there a date
// would mean nothing, so their ticks count from the beginning.
struct Span {
  Instant begin;
  Instant end;

  [[nodiscard]] bool is_empty() const { return end <= begin; }
  [[nodiscard]] bool has_dates() const;
};

// At most `most` + 1 ticks at round times, values in seconds since span.begin.
std::vector<Tick> time_ticks(const Span& span, std::size_t most);

// "2 Oct 2017 14:00", or "3d 04h after the start" without dates.
std::string time_label(const Span& span, Instant at);

}  // namespace weir::report
