#include "formats/pai.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir {
namespace {

enum Column : std::size_t { kSubmit, kDuration, kJobId, kInstances, kGpus, kUser, kGroup };

}  // namespace

PaiReader::PaiReader(TraceFilter filter)
    : CsvLogReader(
          CsvTable({"submit_time", "duration", "job_id", "num_inst", "num_gpu", "user", "group"}),
          std::move(filter)) {}

Status PaiReader::line(std::string_view text, std::size_t /*number*/) {
  if (!WEIR_TRY(table_.take(text))) return {};
  const std::string_view said = table_.raw(kGpus);
  const auto each = said.empty() ? 0 : parse_double(said);
  const std::uint64_t instances =
      table_.raw(kInstances).empty() ? 1 : WEIR_TRY(table_.number(kInstances, 1, limits::kGpus));
  if (!each || *each < 0 || *each > limits::kGpus)
    return bad_input(fmt::format("num_gpu: expected a number from 0 to {}, found {}", limits::kGpus,
                                 quoted(said)));
  const double gpus = *each * static_cast<double>(instances);
  if (gpus == 0) {
    jobs_.leave_out("without GPUs");
    return {};
  }
  if (gpus > limits::kGpus)
    return bad_input(
        fmt::format("num_inst x num_gpu: expected at most {} GPUs, found {}", limits::kGpus, gpus));
  TraceJob job;
  const auto milli = static_cast<std::uint32_t>(std::lround(std::min(gpus, 1.0) * kWholeMilli));
  if (instances == 1 && milli > 0 && milli < kWholeMilli) {
    job.job.gang.per_node.gpu_milli = milli;
  } else {
    job.gpus = static_cast<std::uint64_t>(std::ceil(gpus));
    if (static_cast<double>(job.gpus) != gpus) ++rounded_;
  }
  job.submit = Instant() + WEIR_TRY(table_.duration(kSubmit));
  job.runtime = WEIR_TRY(table_.duration(kDuration));
  job.vc = WEIR_TRY(table_.name(kGroup));
  job.job.name = WEIR_TRY(table_.name(kJobId));
  job.job.user = WEIR_TRY(table_.name(kUser));
  job.job.estimate = job.runtime;
  return jobs_.add(std::move(job));
}

std::string PaiReader::left_out() const {
  std::string text = jobs_.left_out();
  if (rounded_ > 0)
    text += fmt::format("{}{} kept but rounded up to whole GPUs", text.empty() ? "none, " : "; ",
                        with_thousands(rounded_));
  return text;
}

}  // namespace weir
