#include "formats/swf.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/text_cursor.hpp"

namespace weir {
namespace {

// The columns of the format, from 1; those that are read have a name.
constexpr std::size_t kColumns = 18;
constexpr std::array<std::string_view, kColumns> kNames{
    "job number",     "submit time",      "wait time", "run time",
    "processors",     "cpu time",         "memory",    "requested processors",
    "requested time", "requested memory", "status",    "user",
    "group",          "executable",       "queue",     "partition",
    "previous job",   "think time"};
enum Column : std::size_t {
  kJob = 0,
  kSubmit = 1,
  kRun = 3,
  kProcessors = 4,
  kRequestedProcessors = 7,
  kRequestedTime = 8,
  kUser = 11,
  kQueue = 14
};

// Seconds or counts; the widest that any column may be, so that sums stay inside 63 bits.
constexpr double kWidest = 1e12;

Result<Duration> span_of(double value, Column column) {
  if (value > seconds(limits::kLongestDuration))
    return bad_input(fmt::format("{}: expected at most {:.0f} s, found {}", kNames[column],
                                 seconds(limits::kLongestDuration), value));
  return from_seconds(value);
}

}  // namespace

Status SwfReader::comment(std::string_view text) {
  TextCursor cursor(text.substr(1));
  cursor.skip_blanks();
  if (!cursor.take("UnixStartTime:")) return {};
  cursor.skip_blanks();
  const auto start = cursor.take_number();
  // Later than any log, and far from the end of an Instant.
  if (!start || *start > static_cast<std::uint64_t>(kWidest / 100))
    return bad_input("UnixStartTime: expected seconds since 1970");
  start_ = Instant() + std::chrono::seconds(static_cast<std::int64_t>(*start));
  return {};
}

Status SwfReader::line(std::string_view text, std::size_t /*number*/) {
  const std::string_view content = trim(text);
  if (content.empty()) return {};
  if (content.ends_with('\r') || text.ends_with('\r'))
    return bad_input("the line ends with CR LF: expected LF alone; convert it, e.g. with dos2unix");
  if (content.front() == ';') return comment(content);
  std::array<double, kColumns> value{};
  TextCursor cursor(content);
  for (std::size_t i = 0; i < kColumns; ++i) {
    const std::string_view word = cursor.take_word();
    if (word.empty()) return bad_input(fmt::format("expected {} numbers, found {}", kColumns, i));
    const auto number = parse_double(word);
    if (!number || *number < -1 || *number > kWidest)
      return bad_input(fmt::format("{}: expected a number from -1 to {:.0f}, found {}", kNames[i],
                                   kWidest, quoted(word)));
    value[i] = *number;
  }
  const double processors =
      value[kRequestedProcessors] > 0 ? value[kRequestedProcessors] : value[kProcessors];
  if (value[kRun] < 0 || value[kSubmit] < 0) {
    jobs_.leave_out("without a run time");
    return {};
  }
  if (processors <= 0) {
    jobs_.leave_out("without processors");
    return {};
  }
  if (processors > limits::kGpus || processors != std::floor(processors))
    return bad_input(fmt::format("processors: expected a whole number from 1 to {}, found {}",
                                 limits::kGpus, processors));
  TraceJob job;
  job.submit = start_ + from_seconds(value[kSubmit]);
  job.runtime = WEIR_TRY(span_of(value[kRun], kRun));
  job.gpus = static_cast<std::uint64_t>(processors);
  job.vc = value[kQueue] < 0 ? "" : fmt::format("{}", value[kQueue]);
  job.job.name = fmt::format("{}", value[kJob]);
  job.job.user = value[kUser] < 0 ? "" : fmt::format("{}", value[kUser]);
  job.job.estimate = value[kRequestedTime] > 0
                         ? WEIR_TRY(span_of(value[kRequestedTime], kRequestedTime))
                         : job.runtime;
  return jobs_.add(std::move(job));
}

}  // namespace weir
