#include "base/time.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::int64_t kMicrosecondsPerDay = 86'400'000'000;

// Two digits at `at`, or -1.
int two_digits(std::string_view text, std::size_t at) {
  const auto value = parse_unsigned(text.substr(at, 2));
  return value && text.size() >= at + 2 ? static_cast<int>(*value) : -1;
}

// "07:01:55" or "07:01:55.25" as microseconds of a day.
std::optional<std::int64_t> parse_time_of_day(std::string_view text) {
  if (text.size() < 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const int hour = two_digits(text, 0);
  const int minute = two_digits(text, 3);
  const int second = two_digits(text, 6);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
    return std::nullopt;
  std::int64_t micro = 0;
  if (text.size() > 8) {
    const std::string_view fraction = text.substr(9);
    const auto value = parse_unsigned(fraction);
    if (text[8] != '.' || !value || fraction.size() > 6) return std::nullopt;
    micro = static_cast<std::int64_t>(*value);
    for (std::size_t i = fraction.size(); i < 6; ++i) micro *= 10;
  }
  return ((hour * 60 + minute) * 60 + second) * std::int64_t{1'000'000} + micro;
}

}  // namespace

Result<Instant> parse_instant(std::string_view text) {
  const auto bad = [&] {
    return bad_input(
        fmt::format("{} is no date: expected YYYY-MM-DD or YYYY-MM-DD HH:MM:SS", quoted(text)));
  };
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return bad();
  const auto year = parse_unsigned(text.substr(0, 4));
  const int month = two_digits(text, 5);
  const int day = two_digits(text, 8);
  if (!year || month < 0 || day < 0) return bad();
  const year_month_day date{std::chrono::year(static_cast<int>(*year)),
                            std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return bad();
  std::int64_t time_of_day = 0;
  if (text.size() > 10) {
    const auto parsed = parse_time_of_day(text.substr(11));
    if ((text[10] != ' ' && text[10] != 'T') || !parsed) return bad();
    time_of_day = *parsed;
  }
  return Instant(sys_days(date).time_since_epoch().count() * kMicrosecondsPerDay + time_of_day);
}

Result<Duration> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view suffix;
    double factor;
  };
  constexpr std::array<Unit, 5> kUnits{
      {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}};
  std::string_view number = text;
  double factor = 1;
  for (const Unit& unit : kUnits) {
    if (!text.ends_with(unit.suffix)) continue;
    number.remove_suffix(unit.suffix.size());
    factor = unit.factor;
    break;
  }
  const auto value = parse_double(number);
  if (!value || *value < 0)
    return bad_input(
        fmt::format("{} is no duration: expected a number with ms, s, m, h or d, like 90s or 1.5h",
                    quoted(text)));
  if (*value * factor > seconds(limits::kLongestDuration))
    return over_limit(fmt::format("{} is longer than the longest duration of {}", quoted(text),
                                  format_duration(limits::kLongestDuration)));
  return from_seconds(*value * factor);
}

std::string format_instant(Instant at) {
  std::int64_t day = at.microseconds() / kMicrosecondsPerDay;
  std::int64_t rest = at.microseconds() % kMicrosecondsPerDay;
  if (rest < 0) {
    rest += kMicrosecondsPerDay;
    --day;
  }
  const year_month_day date{sys_days(days(day))};
  const std::int64_t second = rest / 1'000'000;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     second / 3600, second / 60 % 60, second % 60);
}

std::string format_duration(Duration d) {
  if (d == Duration::min()) ++d;  // has no positive counterpart
  if (d.count() < 0) return "-" + format_duration(-d);
  const double s = seconds(d);
  // The bounds are where rounding would show the next unit's first value in this one.
  if (s < 0.9995) return fmt::format("{:.3g} ms", s * 1e3);
  if (s < 59.95) return fmt::format("{:.1f} s", s);
  const auto whole = static_cast<std::int64_t>(s + 0.5);
  if (whole < 3600) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{}h {:02}m", whole / 3600, whole / 60 % 60);
  return fmt::format("{}d {:02}h", whole / 86400, whole / 3600 % 24);
}

}  // namespace weir
