#include "formats/gpu_log.hpp"

#include <utility>

#include "base/limits.hpp"

namespace weir {
namespace {

enum Column : std::size_t { kJobId, kUser, kVc, kGpus, kSubmit, kStart, kDuration };

// What these logs write where there is no time.
bool is_nothing(std::string_view text) { return text.empty() || text == "None" || text == "nan"; }

// "2023-07-01 00:00:12+08:00" without the offset.
std::string_view without_offset(std::string_view text) {
  constexpr std::size_t kOffset = 6;
  if (text.size() <= kOffset) return text;
  const std::string_view offset = text.substr(text.size() - kOffset);
  const bool is_offset = (offset[0] == '+' || offset[0] == '-') && offset[3] == ':' &&
                         text.find(':') < text.size() - kOffset;
  return is_offset ? text.substr(0, text.size() - kOffset) : text;
}

}  // namespace

GpuLogReader::GpuLogReader(std::string_view vc_column, TraceFilter filter)
    : CsvLogReader(CsvTable({"job_id", "user", vc_column, "gpu_num", "submit_time", "start_time",
                             "duration"}),
                   std::move(filter)) {}

HeliosReader::HeliosReader(TraceFilter filter) : GpuLogReader("vc", std::move(filter)) {}
AcmeReader::AcmeReader(TraceFilter filter) : GpuLogReader("type", std::move(filter)) {}

Status GpuLogReader::line(std::string_view text, std::size_t /*number*/) {
  if (!WEIR_TRY(table_.take(text))) return {};
  TraceJob job;
  job.gpus = WEIR_TRY(table_.number(kGpus, 0, limits::kGpus));
  if (job.gpus == 0) {
    jobs_.leave_out("without GPUs");
    return {};
  }
  if (is_nothing(table_.raw(kStart)) || is_nothing(table_.raw(kDuration))) {
    jobs_.leave_out("that never started");
    return {};
  }
  const auto submit = parse_instant(without_offset(table_.raw(kSubmit)));
  if (!submit) return bad_input("submit_time: " + submit.error().message);
  job.submit = *submit;
  job.runtime = WEIR_TRY(table_.duration(kDuration));
  job.vc = WEIR_TRY(table_.name(kVc));
  job.job.name = WEIR_TRY(table_.name(kJobId));
  job.job.user = WEIR_TRY(table_.name(kUser));
  job.job.estimate = job.runtime;
  return jobs_.add(std::move(job));
}

}  // namespace weir
