#include "report/axis.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::int64_t kMicro = 1'000'000;
constexpr std::int64_t kDay = 86'400;
constexpr std::array kMonthNames = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Steps of a time axis in seconds, up to a week; longer axes go by months.
constexpr std::array<std::int64_t, 18> kSteps = {
    1,     5,      10,     30,     60,   300,      600,      1'800,     3'600,
    7'200, 10'800, 21'600, 43'200, kDay, 2 * kDay, 7 * kDay, 14 * kDay, 28 * kDay};
constexpr std::array kMonthSteps = {1, 2, 3, 6, 12, 24, 60, 120};

std::int64_t whole_seconds(Instant at) {
  const std::int64_t micro = at.microseconds();
  return micro >= 0 ? micro / kMicro : -((-micro + kMicro - 1) / kMicro);
}

year_month_day date_of(std::int64_t second) {
  const std::int64_t day = second >= 0 ? second / kDay : -((-second + kDay - 1) / kDay);
  return year_month_day{sys_days(std::chrono::days(day))};
}

std::string day_label(year_month_day date, bool with_year) {
  const auto day = static_cast<unsigned>(date.day());
  const char* month = kMonthNames.at(static_cast<unsigned>(date.month()) - 1);
  if (with_year) return fmt::format("{} {} {}", day, month, static_cast<int>(date.year()));
  return fmt::format("{} {}", day, month);
}

// "07:00", with seconds where they matter.
std::string clock_label(std::int64_t second, bool with_seconds) {
  const std::int64_t of_day = ((second % kDay) + kDay) % kDay;
  const std::string text = fmt::format("{:02}:{:02}", of_day / 3600, of_day / 60 % 60);
  return with_seconds ? fmt::format("{}:{:02}", text, of_day % 60) : text;
}

std::string elapsed_label(std::int64_t second, std::int64_t step) {
  if (second == 0) return "0";
  if (step >= kDay) return fmt::format("{} d", second / kDay);
  if (step >= 3600) {
    if (second % kDay == 0) return fmt::format("{} d", second / kDay);
    return second < kDay ? fmt::format("{} h", second / 3600)
                         : fmt::format("{} d {} h", second / kDay, second / 3600 % 24);
  }
  return step >= 60 ? fmt::format("{} min", second / 60) : fmt::format("{} s", second);
}

std::int64_t step_for(std::int64_t length, std::size_t most) {
  for (const std::int64_t step : kSteps)
    if (length / step <= static_cast<std::int64_t>(most)) return step;
  return 0;
}

// Ticks every `step` seconds: midnights and round hours of the log's own clock, weeks on Mondays.
std::vector<Tick> dated_ticks(const Span& span, std::int64_t step) {
  constexpr std::int64_t kFirstMonday = 4 * kDay;  // 1970-01-05
  const std::int64_t shift = step >= 7 * kDay ? kFirstMonday : 0;
  const std::int64_t begin = whole_seconds(span.begin);
  const std::int64_t end = whole_seconds(span.end);
  std::int64_t at = (begin - shift) / step * step + shift;
  if (at < begin) at += step;
  std::vector<Tick> ticks;
  int year = 0;
  for (; at <= end; at += step) {
    const year_month_day date = date_of(at);
    const bool midnight = at % kDay == 0;
    const bool new_year = midnight && static_cast<int>(date.year()) != year;
    if (midnight) year = static_cast<int>(date.year());
    ticks.push_back({static_cast<double>(at - begin),
                     midnight ? day_label(date, new_year) : clock_label(at, step < 60)});
  }
  return ticks;
}

std::vector<Tick> elapsed_ticks(std::int64_t length, std::int64_t step) {
  std::vector<Tick> ticks;
  for (std::int64_t at = 0; at <= length; at += step)
    ticks.push_back({static_cast<double>(at), elapsed_label(at, step)});
  return ticks;
}

std::vector<Tick> month_ticks(const Span& span, std::size_t most) {
  const std::int64_t begin = whole_seconds(span.begin);
  const std::int64_t end = whole_seconds(span.end);
  const auto months = (end - begin) / (30 * kDay) + 1;
  int step = kMonthSteps.back();
  for (const int candidate : kMonthSteps) {
    if (months / candidate > static_cast<std::int64_t>(most)) continue;
    step = candidate;
    break;
  }
  std::vector<Tick> ticks;
  year_month_day date{date_of(begin).year(), std::chrono::January, std::chrono::day(1)};
  int year = 0;
  for (;; date += std::chrono::months(step)) {
    const std::int64_t at = sys_days(date).time_since_epoch().count() * kDay;
    if (at > end) return ticks;
    if (at < begin) continue;
    const char* month = kMonthNames.at(static_cast<unsigned>(date.month()) - 1);
    const bool new_year = static_cast<int>(date.year()) != year;
    year = static_cast<int>(date.year());
    ticks.push_back({static_cast<double>(at - begin),
                     new_year ? fmt::format("{} {}", month, year) : std::string(month)});
  }
}

std::string duration_tick_label(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 86400) return fmt::format("{:.0f} h", seconds / 3600);
  return fixed(seconds / 86400, 0) + " d";
}

}  // namespace

double Scale::operator()(double value) const {
  const auto place = [this](double v) {
    switch (kind) {
      case Kind::kLinear: return v;
      case Kind::kLog: return std::log10(v);
      case Kind::kLogFromZero: return std::log10(1 + v);
    }
    return v;
  };
  const double inside = std::isfinite(value) ? std::clamp(value, low, high) : low;
  const double share = high > low ? (place(inside) - place(low)) / (place(high) - place(low)) : 0;
  return pixel_low + share * (pixel_high - pixel_low);
}

std::vector<Tick> count_ticks(double high, std::size_t wanted) {
  if (!(high > 0) || !std::isfinite(high)) high = 1;
  const double rough = high / static_cast<double>(std::max<std::size_t>(wanted, 1));
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = power * 10;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor < rough) continue;
    step = power * factor;
    break;
  }
  const int decimals = step < 1 ? static_cast<int>(std::ceil(-std::log10(step))) : 0;
  std::vector<Tick> ticks;
  for (std::size_t i = 0;; ++i) {
    const double value = static_cast<double>(i) * step;
    ticks.push_back({value, fixed(value, i == 0 ? 0 : decimals)});
    if (value >= high * (1 - 1e-9)) return ticks;
  }
}

std::vector<Tick> decade_ticks(double high) {
  std::vector<Tick> ticks = {{0, "0"}};
  for (double value = 1; value < 1e18; value *= 10) {
    ticks.push_back({value, fixed(value, 0)});
    if (!(value < high)) break;
  }
  return ticks;
}

std::vector<Tick> duration_ticks(double high) {
  std::vector<Tick> ticks;
  for (double step :
       {1.0, 10.0, 60.0, 600.0, 3600.0, 36000.0, 86400.0, 864000.0, 8640000.0, 86400000.0}) {
    ticks.push_back({step, duration_tick_label(step)});
    if (ticks.size() > 1 && !(step < high)) break;
  }
  return ticks;
}

bool Span::has_dates() const { return whole_seconds(begin) >= 365 * kDay; }

std::vector<Tick> time_ticks(const Span& span, std::size_t most) {
  if (span.is_empty()) return {};
  const std::int64_t length = whole_seconds(span.end) - whole_seconds(span.begin);
  const std::int64_t step = step_for(length, most);
  if (span.has_dates())
    return step > 0 && step <= 14 * kDay ? dated_ticks(span, step) : month_ticks(span, most);
  if (step > 0) return elapsed_ticks(length, step);
  const auto periods = static_cast<std::int64_t>(most) * 100 * kDay;
  return elapsed_ticks(length, (length / periods + 1) * 100 * kDay);
}

std::string time_label(const Span& span, Instant at) {
  if (!span.has_dates()) return format_duration(at - span.begin) + " after the start";
  const std::int64_t second = whole_seconds(at);
  return day_label(date_of(second), true) + " " + clock_label(second, false);
}

}  // namespace weir::report
