#include "formats/philly.hpp"

#include <utility>

#include "base/limits.hpp"

namespace weir {
namespace {

enum Column : std::size_t { kTimestamp, kDuration, kGpus, kCluster };

}  // namespace

PhillyReader::PhillyReader(TraceFilter filter)
    : CsvLogReader(CsvTable({"timestamp", "duration", "num_gpus", "cluster"}), std::move(filter)) {}

Status PhillyReader::line(std::string_view text, std::size_t /*number*/) {
  if (!WEIR_TRY(table_.take(text))) return {};
  TraceJob job;
  job.submit = WEIR_TRY(table_.instant(kTimestamp));
  job.runtime = WEIR_TRY(table_.duration(kDuration));
  job.gpus = WEIR_TRY(table_.number(kGpus, 1, limits::kGpus));
  job.vc = WEIR_TRY(table_.name(kCluster));
  job.job.estimate = job.runtime;
  return jobs_.add(std::move(job));
}

}  // namespace weir
