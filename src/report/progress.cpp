#include "report/progress.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

// Whole seconds below a minute, since a countdown with decimals only flickers.
std::string remaining(double seconds) {
  if (seconds > 1e9) return "unknown";
  const double whole = std::ceil(seconds);
  return whole < 60 ? fmt::format("{:.0f} s", whole) : format_duration(from_seconds(whole));
}

}  // namespace

std::string progress_line(const Progress& progress) {
  const std::uint64_t done = std::min(progress.done, progress.total);
  const std::uint64_t percent_done = progress.total == 0 ? 100 : done * 100 / progress.total;
  std::string line;
  if (progress.run > 0 && progress.runs > 1)
    line = fmt::format("{}/{}  ", progress.run, progress.runs);
  line += fmt::format("{}  {} %  {} of {} jobs", clean_text(progress.policy), percent_done,
                      with_thousands(done), with_thousands(progress.total));
  if (done == 0 || done == progress.total) return line;
  const double rest = seconds(progress.elapsed) * static_cast<double>(progress.total - done) /
                      static_cast<double>(done);
  return line + "  ETA " + remaining(rest);
}

}  // namespace weir::report
