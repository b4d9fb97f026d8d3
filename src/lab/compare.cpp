#include "lab/compare.hpp"

#include <optional>

#include <fmt/format.h>

#include "lab/packing.hpp"
#include "os/clock.hpp"
#include "os/files.hpp"

namespace weir::lab {
namespace {

std::string stem(std::string_view order, std::string_view placement) {
  return fmt::format("{}-{}", order, placement);
}

Result<sim::RunResult> run_one(const LabPool& pool, const LabTrace& trace,
                               const CompareOptions& options, sim::SimulationOptions simulation) {
  std::optional<os::AppendFile> file;
  if (!options.journals.empty()) {
    const auto path = options.journals /
                      (stem(simulation.settings.order, simulation.settings.placement) + ".journal");
    file.emplace(WEIR_TRY(os::AppendFile::create(path)));
    simulation.journal = [&file](ByteSpan frame) { return file->append(frame); };
  }
  const os::Stopwatch watch;
  sim::RunResult result = WEIR_TRY(sim::simulate(pool.pool, trace.jobs, simulation));
  result.planning_seconds = watch.seconds();
  if (file) WEIR_TRY(file->close());
  return result;
}

// All names at once, before hours of work end at the last one.
Status check_names(const std::vector<sim::SimulationOptions>& runs) {
  for (const sim::SimulationOptions& run : runs) WEIR_TRY(sched::Planner::make(run.settings));
  return {};
}

}  // namespace

Result<sim::Comparison> compare(const LabPool& pool, const LabTrace& trace,
                                const CompareOptions& options, const ProgressHandler& progress) {
  const sched::TypicalDemand typical = typical_of(trace.jobs, pool.pool.gpus_per_node());
  std::vector<sim::SimulationOptions> runs;
  for (const std::string& order : options.orders) {
    for (const std::string& placement : options.placements) {
      sim::SimulationOptions run;
      run.settings.order = order;
      run.settings.placement = placement;
      run.settings.backfill = options.backfill;
      run.settings.seed = options.seed;
      run.settings.typical = typical;
      run.round = options.round;
      runs.push_back(std::move(run));
    }
  }
  WEIR_TRY(check_names(runs));

  sim::Comparison comparison;
  comparison.pool = pool.description;
  comparison.trace = trace.description;
  comparison.nodes = pool.pool.nodes.size();
  comparison.gpus = pool.pool.gpus();
  comparison.units = pool.units;
  comparison.offered_load = trace.offered_load;
  comparison.seed = options.seed;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    CompareProgress at{fmt::format("{} / {}", runs[i].settings.order, runs[i].settings.placement),
                       i + 1,
                       runs.size(),
                       0,
                       trace.jobs.size(),
                       0};
    const os::Stopwatch watch;
    if (progress)
      runs[i].progress = [&](std::uint64_t done) {
        at.done = done;
        at.run_seconds = watch.seconds();
        progress(at);
      };
    comparison.runs.push_back(WEIR_TRY(run_one(pool, trace, options, runs[i])));
  }
  return comparison;
}

std::string file_stem(const sim::RunResult& run) { return stem(run.order, run.placement); }

}  // namespace weir::lab
