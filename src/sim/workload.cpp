#include "sim/workload.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/rng.hpp"
#include "base/text.hpp"
#include "sim/job_shapes.hpp"

namespace weir::sim {
namespace {

// GPU jobs submitted in each hour of the day, all four Helios clusters together (Hu et al., SC'21;
// the diurnal curve in the figures of HeliosArtifact).
constexpr std::array<std::uint64_t, 24> kHourWeights{329, 307, 248, 217, 205, 202, 199, 186,
                                                     204, 297, 409, 450, 436, 445, 482, 519,
                                                     543, 484, 399, 436, 476, 445, 414, 398};

constexpr std::uint64_t kSecondsPerHour = 3600;
constexpr double kHeaviestLoad = 10;

// A moment in [0, length) with the hours of the day weighted.
Duration draw_arrival(Rng& rng, Duration length) {
  constexpr std::uint64_t kMicroseconds = kSecondsPerHour * 1'000'000;
  std::uint64_t day_weight = 0;
  for (const std::uint64_t weight : kHourWeights) day_weight += weight;
  const auto span = static_cast<std::uint64_t>(length.count());
  const std::uint64_t days = span / (24 * kMicroseconds) + 1;
  // Draws beyond a last day that is not whole are drawn again.
  for (;;) {
    const std::uint64_t day = rng.below(days);
    std::uint64_t left = rng.below(day_weight);
    std::uint64_t hour = 0;
    while (left >= kHourWeights[hour]) left -= kHourWeights[hour++];
    const std::uint64_t at = (day * 24 + hour) * kMicroseconds + rng.below(kMicroseconds);
    if (at < span) return Duration(static_cast<std::int64_t>(at));
  }
}

using DrawShape = JobShape (*)(Rng& rng, const ShapeLimits& limits);

// Jobs that ask for `budget` GPU seconds together.
Result<std::vector<JobShape>> draw_shapes(Rng& rng, const WorkloadOptions& options, DrawShape draw,
                                          std::uint64_t budget) {
  const auto longest = static_cast<std::uint64_t>(options.length.count()) / 2'000'000;
  const ShapeLimits limits{options.pool_gpus, options.gpus_per_node, options.biggest_gang};
  std::vector<JobShape> shapes;
  while (budget > 0) {
    JobShape shape = draw(rng, limits);
    shape.seconds = std::min({shape.seconds, longest, budget / shape.gpus});
    if (shape.seconds == 0) break;
    budget -= shape.gpus * shape.seconds;
    shapes.push_back(shape);
    if (shapes.size() > limits::kJobFileJobs)
      return over_limit(fmt::format("the workload has more than {} jobs: make it shorter",
                                    with_thousands(limits::kJobFileJobs)));
  }
  return shapes;
}

Result<Trace> draw_jobs(Rng rng, const WorkloadOptions& options, DrawShape draw, double load) {
  const auto capacity = static_cast<double>(options.pool_gpus) * seconds(options.length);
  const auto budget = static_cast<std::uint64_t>(load * capacity);
  const auto shapes = WEIR_TRY(draw_shapes(rng, options, draw, budget));
  std::vector<Duration> arrivals;
  arrivals.reserve(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i)
    arrivals.push_back(draw_arrival(rng, options.length));
  std::ranges::sort(arrivals);
  Trace trace(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    TraceJob& job = trace[i];
    job.submit = options.start + arrivals[i];
    job.runtime = std::chrono::seconds(shapes[i].seconds);
    job.vc = shapes[i].vc;
    job.gpus = shapes[i].gpus;
    job.job.name = fmt::format("{}-{}", shapes[i].vc, i + 1);
    job.job.estimate = job.runtime;
  }
  return trace;
}

Status check(const WorkloadOptions& options) {
  if (options.pool_gpus == 0 || options.pool_gpus > limits::kGpus)
    return bad_input(fmt::format("pool of {} GPUs: expected 1 to {}", options.pool_gpus,
                                 with_thousands(limits::kGpus)));
  if (options.gpus_per_node == 0 || options.gpus_per_node > limits::kGpusPerNode)
    return bad_input(fmt::format("{} GPUs a node: expected 1 to {}", options.gpus_per_node,
                                 limits::kGpusPerNode));
  if (options.length < std::chrono::hours(1) || options.length > limits::kLongestDuration)
    return bad_input(fmt::format("length of {}: expected 1 hour to {}",
                                 format_duration(options.length),
                                 format_duration(limits::kLongestDuration)));
  const bool load_fits = options.load > 0 && options.load <= kHeaviestLoad;  // not so for a NaN
  if (!load_fits)
    return bad_input(
        fmt::format("load of {}: expected above 0 and at most {}", options.load, kHeaviestLoad));
  const bool share_fits = options.gang_share >= 0 && options.gang_share <= 1;
  if (!share_fits)
    return bad_input(fmt::format("gang share of {}: expected 0 to 1", options.gang_share));
  const std::uint64_t pool_nodes = options.pool_gpus / options.gpus_per_node;
  const bool gangs = options.kind == WorkloadKind::kGangs || options.kind == WorkloadKind::kMixed;
  if (gangs && std::min<std::uint64_t>(options.biggest_gang, pool_nodes) < kSmallestGang)
    return bad_input(fmt::format(
        "gangs have at least 2 nodes: a pool of {} nodes and a biggest gang of {} hold none",
        pool_nodes, options.biggest_gang));
  return {};
}

struct Kind {
  std::string_view name;
  DrawShape draw;
};
// By WorkloadKind; of kMixed the part that is no gang.
constexpr std::array<Kind, 6> kKinds{{{"small", draw_small},
                                      {"gangs", draw_gang},
                                      {"mixed", draw_small},
                                      {"philly", draw_small},
                                      {"helios", draw_helios},
                                      {"acme", draw_acme}}};

constexpr auto kKindNames = [] {
  std::array<std::string_view, kKinds.size()> names{};
  std::ranges::transform(kKinds, names.begin(), &Kind::name);
  return names;
}();

}  // namespace

std::span<const std::string_view> workload_kinds() { return kKindNames; }

std::string_view to_text(WorkloadKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Result<WorkloadKind> parse_workload_kind(std::string_view text) {
  const auto found = std::ranges::find(kKindNames, text);
  if (found == kKindNames.end())
    return bad_input(fmt::format("{} is no kind of workload: expected one of {}", quoted(text),
                                 fmt::join(kKindNames, ", ")));
  return static_cast<WorkloadKind>(found - kKindNames.begin());
}

Result<Trace> generate_workload(const WorkloadOptions& options) {
  WEIR_TRY(check(options));
  double gang_share = 0;
  if (options.kind == WorkloadKind::kGangs) gang_share = 1;
  if (options.kind == WorkloadKind::kMixed) gang_share = options.gang_share;
  const DrawShape draw = kKinds[static_cast<std::size_t>(options.kind)].draw;
  // Each part draws from a stream of its own, so that one does not change with the other's share.
  Rng seeds(options.seed);
  const Rng other_draws(seeds.next());
  const Rng gang_draws(seeds.next());
  const Trace others =
      WEIR_TRY(draw_jobs(other_draws, options, draw, options.load * (1 - gang_share)));
  const Trace gangs =
      WEIR_TRY(draw_jobs(gang_draws, options, draw_gang, options.load * gang_share));
  Trace both;
  both.reserve(others.size() + gangs.size());
  std::ranges::merge(others, gangs, std::back_inserter(both), {}, &TraceJob::submit,
                     &TraceJob::submit);
  return both;
}

}  // namespace weir::sim
