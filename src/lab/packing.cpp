#include "lab/packing.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir::lab {
namespace {

constexpr std::size_t kMostSeeds = 1000;

std::optional<Spread> spread_of_known(const std::vector<sim::FillResult>& runs,
                                      std::optional<double> sim::FillResult::* figure) {
  std::vector<double> values;
  for (const sim::FillResult& run : runs)
    if (run.*figure) values.push_back(*(run.*figure));
  if (values.size() != runs.size()) return std::nullopt;
  return spread_of(values);
}

Result<std::vector<sim::FillResult>> runs_of(const LabPool& pool, const LabTrace& trace,
                                             const PackingOptions& options,
                                             sched::Settings settings,
                                             const PackingProgress& progress) {
  std::vector<sim::FillResult> runs;
  for (const std::uint64_t seed : options.seeds) {
    if (progress) progress(fmt::format("{}, seed {}", settings.placement, seed));
    settings.seed = seed;
    Rng rng(seed);
    const sim::SimulatedPool shuffled = sim::with_shuffled_nodes(pool.pool, rng);
    const auto rows = WEIR_TRY(sim::draw_rows(shuffled, trace.jobs, options.fill, rng));
    runs.push_back(WEIR_TRY(sim::fill_pool(shuffled, trace.jobs, rows, settings)));
  }
  return runs;
}

}  // namespace

sched::TypicalDemand typical_of(const Trace& trace, std::uint32_t gpus_per_node) {
  std::vector<Job> jobs;
  jobs.reserve(trace.size());
  for (const TraceJob& row : trace) jobs.push_back(sim::job_of_row(row, gpus_per_node));
  std::vector<const Job*> pointers;
  pointers.reserve(jobs.size());
  for (const Job& job : jobs) pointers.push_back(&job);
  return sched::typical_demand(pointers);
}

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  if (values.empty()) return spread;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / count;
  if (values.size() == 1) return spread;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.sd = std::sqrt(squares / (count - 1));
  return spread;
}

Result<std::vector<std::uint64_t>> parse_seeds(std::string_view text) {
  std::vector<std::uint64_t> seeds;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t dots = part.find("..");
    const auto first = parse_unsigned(trim(part.substr(0, dots)));
    const auto last =
        dots == std::string_view::npos ? first : parse_unsigned(trim(part.substr(dots + 2)));
    if (!first || !last || *last < *first)
      return bad_input(
          fmt::format("--seeds {}: expected a number, or a range like 42..51", quoted(text)));
    if (*last - *first >= kMostSeeds - seeds.size())
      return over_limit(
          fmt::format("--seeds {}: expected at most {} seeds", quoted(text), kMostSeeds));
    for (std::uint64_t seed = *first; seed <= *last; ++seed) seeds.push_back(seed);
  }
  return seeds;
}

Result<PackingReport> pack(const LabPool& pool, const LabTrace& trace,
                           const PackingOptions& options, const PackingProgress& progress) {
  PackingReport report;
  report.pool = pool.description;
  // Its name and number of jobs; dates and load mean nothing here.
  report.tasks = trace.description.substr(0, trace.description.find(", "));
  report.nodes = pool.pool.nodes.size();
  report.gpus = pool.pool.gpus();
  report.fill = options.fill;
  report.seeds = options.seeds;
  sched::Settings settings;
  settings.typical = typical_of(trace.jobs, pool.pool.gpus_per_node());
  report.typical_shapes = settings.typical.shapes.size();
  // All names at once, before minutes of work end at the last one.
  for (const std::string& placement : options.placements) {
    settings.placement = placement;
    WEIR_TRY(sched::Planner::make(settings));
  }
  for (const std::string& placement : options.placements) {
    settings.placement = placement;
    PackingPolicy policy;
    policy.placement = placement;
    policy.runs = WEIR_TRY(runs_of(pool, trace, options, settings, progress));
    std::vector<double> allocated;
    for (const sim::FillResult& run : policy.runs) allocated.push_back(run.allocated_pct);
    policy.allocated_pct = spread_of(allocated);
    policy.fragmented_at_80 = spread_of_known(policy.runs, &sim::FillResult::fragmented_at_80);
    policy.fragmented_at_100 = spread_of_known(policy.runs, &sim::FillResult::fragmented_at_100);
    report.policies.push_back(std::move(policy));
  }
  return report;
}

}  // namespace weir::lab
