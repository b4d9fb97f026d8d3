// Instant and Duration: whole microseconds, so that sums are exact on every machine.
//
// Nothing in the pure modules reads a clock: an Instant comes in as an argument. Traces carry naive
// local times; they are read as if they were UTC, which keeps differences right within one log.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace weir {

using Duration = std::chrono::duration<std::int64_t, std::micro>;

// Microseconds since 1970-01-01T00:00:00 without leap seconds.
class Instant {
 public:
  constexpr Instant() = default;
  constexpr explicit Instant(std::int64_t microseconds) : microseconds_(microseconds) {}

  static constexpr Instant far_future() { return Instant(INT64_MAX); }

  [[nodiscard]] constexpr std::int64_t microseconds() const { return microseconds_; }

  friend constexpr auto operator<=>(Instant, Instant) = default;
  // Sums beyond the representable range stay at its end.
  friend constexpr Instant operator+(Instant at, Duration d) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(at.microseconds_, d.count(), &sum))
      return Instant(d.count() > 0 ? INT64_MAX : INT64_MIN);
    return Instant(sum);
  }
  friend constexpr Duration operator-(Instant a, Instant b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a.microseconds_, b.microseconds_, &difference))
      return Duration(a > b ? INT64_MAX : INT64_MIN);
    return Duration(difference);
  }

 private:
  std::int64_t microseconds_ = 0;
};

constexpr double seconds(Duration d) { return static_cast<double>(d.count()) / 1e6; }

// Seconds to the nearest microsecond. REQUIRES: |s| < 9e12.
constexpr Duration from_seconds(double s) {
  return Duration(static_cast<std::int64_t>(s * 1e6 + (s < 0 ? -0.5 : 0.5)));
}

// "2017-10-01", "2017-10-01 07:01:55" or "2017-10-01T07:01:55[.ffffff]"; the error quotes the text.
Result<Instant> parse_instant(std::string_view text);

// "90", "90s", "15m", "1.5h", "2d", "250ms"; a bare number is seconds. Never negative.
Result<Duration> parse_duration(std::string_view text);

// "2017-10-01 07:01:55"; fractions of a second are cut off.
std::string format_instant(Instant at);

// "3d 04h", "2h 05m", "41.3 s", "12 ms": two significant parts, for people.
std::string format_duration(Duration d);

}  // namespace weir
