#include "formats/openb.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir {
namespace {

enum NodeColumn : std::size_t { kSn, kNodeCpu, kNodeMemory, kNodeGpus, kModel };
enum TaskColumn : std::size_t {
  kName,
  kCpu,
  kMemory,
  kGpus,
  kGpuMilli,
  kGpuSpec,
  kCreation,
  kDeletion,
  kScheduled
};

Result<std::vector<std::string>> models_of(std::string_view spec) {
  std::vector<std::string> models;
  if (spec.empty()) return models;
  for (const std::string_view model : split(spec, '|')) {
    if (model.empty() || model.size() > limits::kNameBytes)
      return bad_input(
          fmt::format("gpu_spec: expected models joined by |, found {}", quoted(spec)));
    models.emplace_back(model);
  }
  std::ranges::sort(models);
  const auto repeated = std::ranges::unique(models);
  models.erase(repeated.begin(), repeated.end());
  if (models.size() > limits::kNamesPerField)
    return over_limit(fmt::format("gpu_spec: {} models, expected at most {}", models.size(),
                                  limits::kNamesPerField));
  return models;
}

}  // namespace

OpenbNodeReader::OpenbNodeReader() : table_({"sn", "cpu_milli", "memory_mib", "gpu", "model"}) {}

Status OpenbNodeReader::line(std::string_view text, std::size_t /*number*/) {
  if (!WEIR_TRY(table_.take(text))) return {};
  if (nodes_.size() >= limits::kNodes)
    return over_limit(fmt::format("more than {} nodes", limits::kNodes));
  Node node;
  node.name = WEIR_TRY(table_.name(kSn));
  if (node.name.empty()) return bad_input("sn: expected a name, found nothing");
  Capacity& total = node.kind.total;
  total.cpu_milli = static_cast<std::uint32_t>(WEIR_TRY(table_.number(kNodeCpu, 0, UINT32_MAX)));
  total.memory_mib =
      static_cast<std::uint32_t>(WEIR_TRY(table_.number(kNodeMemory, 0, UINT32_MAX)));
  total.gpus =
      static_cast<std::uint32_t>(WEIR_TRY(table_.number(kNodeGpus, 0, limits::kGpusPerNode)));
  node.kind.gpu_model = WEIR_TRY(table_.name(kModel));
  node.cell = DomainId(0);
  nodes_.push_back(std::move(node));
  return {};
}

Result<std::vector<Node>> OpenbNodeReader::finish() {
  if (!table_.has_header()) return table_.no_header();
  if (nodes_.empty()) return bad_input("no node in it");
  return std::move(nodes_);
}

OpenbTaskReader::OpenbTaskReader(TraceFilter filter)
    : CsvLogReader(CsvTable({"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"},
                            {"gpu_spec", "creation_time", "deletion_time", "scheduled_time"}),
                   std::move(filter)) {}

bool OpenbTaskReader::has_times() const {
  return table_.has_header() && table_.has(kCreation) && table_.has(kDeletion);
}

Status OpenbTaskReader::line(std::string_view text, std::size_t /*number*/) {
  if (!WEIR_TRY(table_.take(text))) return {};
  TraceJob job;
  job.job.name = WEIR_TRY(table_.name(kName));
  Capacity& demand = job.job.gang.per_node;
  demand.cpu_milli = static_cast<std::uint32_t>(WEIR_TRY(table_.number(kCpu, 0, UINT32_MAX)));
  demand.memory_mib = static_cast<std::uint32_t>(WEIR_TRY(table_.number(kMemory, 0, UINT32_MAX)));
  demand.gpus = static_cast<std::uint32_t>(WEIR_TRY(table_.number(kGpus, 0, limits::kGpusPerNode)));
  if (demand.gpus == 1) {
    const std::uint64_t milli = WEIR_TRY(table_.number(kGpuMilli, 1, kWholeMilli));
    if (milli < kWholeMilli)
      demand = {0, demand.cpu_milli, demand.memory_mib, static_cast<std::uint32_t>(milli)};
  }
  if (demand == Capacity{})
    return bad_input("the task asks for nothing: expected GPUs, CPUs or memory");
  job.job.requirement.gpu_models = WEIR_TRY(models_of(table_.raw(kGpuSpec)));
  if (has_times()) WEIR_TRY(read_times(job));
  return jobs_.add(std::move(job));
}

Status OpenbTaskReader::read_times(TraceJob& job) const {
  const Duration created = WEIR_TRY(table_.duration(kCreation));
  const Duration deleted = WEIR_TRY(table_.duration(kDeletion));
  Duration started = created;
  if (!table_.raw(kScheduled).empty()) started = WEIR_TRY(table_.duration(kScheduled));
  if (deleted < started)
    return bad_input(fmt::format("deletion_time: {} s comes before the task started at {} s",
                                 seconds(deleted), seconds(started)));
  job.submit = Instant() + created;
  job.runtime = deleted - started;
  job.job.estimate = job.runtime;
  return {};
}

}  // namespace weir
