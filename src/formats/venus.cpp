#include "formats/venus.hpp"

#include <chrono>
#include <utility>

#include "base/limits.hpp"

namespace weir {
namespace {

using namespace std::chrono_literals;

enum Column : std::size_t { kJobId, kUser, kTenant, kSubmitTime, kChips, kDuration };

constexpr Instant kEpoch{
    std::chrono::microseconds(std::chrono::sys_days(2020y / 9 / 1).time_since_epoch()).count()};

}  // namespace

VenusReader::VenusReader(TraceFilter filter)
    : CsvLogReader(CsvTable({"job_id", "user", "tenant", "submit_time", "num_chips", "duration_s"}),
                   std::move(filter)) {}

Status VenusReader::line(std::string_view text, std::size_t /*number*/) {
  if (text.starts_with('#') || !WEIR_TRY(table_.take(text))) return {};
  TraceJob job;
  const auto latest = static_cast<std::uint64_t>(limits::kLongestDuration.count());
  job.submit =
      kEpoch + Duration(static_cast<std::int64_t>(WEIR_TRY(table_.number(kSubmitTime, 0, latest))));
  job.runtime = WEIR_TRY(table_.duration(kDuration));
  job.gpus = WEIR_TRY(table_.number(kChips, 1, limits::kGpus));
  job.vc = WEIR_TRY(table_.name(kTenant));
  job.job.name = WEIR_TRY(table_.name(kJobId));
  job.job.user = WEIR_TRY(table_.name(kUser));
  job.job.estimate = job.runtime;
  return jobs_.add(std::move(job));
}

}  // namespace weir
