#include "sim/workload.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/rng.hpp"
#include "base/text.hpp"

namespace weir::sim {
namespace {

// A choice of sizes: GPUs or nodes, and how many of all draws take it.
struct Size {
  std::uint64_t size;
  std::uint64_t weight;
};

// A point of a quantile function: this many of 10,000 jobs run at most so long.
struct Quantile {
  std::uint64_t share;
  std::uint64_t seconds;
};

// Share of jobs by GPUs in 10,000. Philly 2017 (Jeon et al., ATC'19; the 82,247 jobs published with
// AdaptDL): 1 GPU 93.2 %, 2 2.2 %, 4 2.3 %, 8 2.0 %, 16 0.24 %, more 0.1 %, folded into 32.
constexpr std::array<Size, 6> kSmallSizes{
    {{1, 9317}, {2, 221}, {4, 227}, {8, 200}, {16, 25}, {32, 10}}};

// Quantiles of Philly's durations by GPUs, from the same jobs: larger jobs run longer, which is why
// the 2.3 % of 8 GPUs or more use 62 % of the GPU time. Together they give back the published
// median of 1,144 s, p90 of 11,265 s and p99 of 254,758 s.
constexpr std::array<Quantile, 21> kOneGpu{
    {{0, 1},         {100, 30},      {500, 52},       {1000, 62},    {2000, 76},    {3000, 215},
     {4000, 600},    {5000, 1117},   {6000, 1728},    {7000, 2464},  {8000, 3754},  {8500, 5342},
     {9000, 8512},   {9300, 12341},  {9500, 19137},   {9700, 44246}, {9800, 68259}, {9900, 135404},
     {9950, 266986}, {9990, 868927}, {10000, 3256045}}};
constexpr std::array<Quantile, 21> kUnderEightGpus{
    {{0, 2},          {100, 6},       {500, 11},      {1000, 15},      {2000, 19},
     {3000, 25},      {4000, 85},     {5000, 367},    {6000, 5581},    {7000, 25432},
     {8000, 79264},   {8500, 99995},  {9000, 166199}, {9300, 188758},  {9500, 233725},
     {9700, 348684},  {9800, 467815}, {9900, 748678}, {9950, 1127338}, {9990, 2416865},
     {10000, 2750674}}};
constexpr std::array<Quantile, 21> kEightGpusOrMore{
    {{0, 1},          {100, 22},      {500, 82},       {1000, 199},     {2000, 638},
     {3000, 3366},    {4000, 11460},  {5000, 23646},   {6000, 58954},   {7000, 129382},
     {8000, 195577},  {8500, 235170}, {9000, 340658},  {9300, 414637},  {9500, 511238},
     {9700, 646452},  {9800, 790141}, {9900, 1066894}, {9950, 1961780}, {9990, 2658784},
     {10000, 4628226}}};

// Nodes of a gang in 100: our own choice, since no public log shows gangs on a fabric. Powers of
// two dominate as in Philly's and Helios's sizes; the odd ones are there because they leave the
// remainders that a placement must live with.
constexpr std::array<Size, 12> kGangNodes{{{2, 20},
                                           {3, 2},
                                           {4, 22},
                                           {6, 3},
                                           {8, 18},
                                           {12, 5},
                                           {16, 14},
                                           {20, 3},
                                           {24, 3},
                                           {32, 7},
                                           {40, 1},
                                           {64, 2}}};
// One hour to three days, half of them under five hours: our own choice. What it follows: training
// takes most of the GPU time in few long jobs (Acme Seren: pretraining is 0.9 % of jobs and 69.5 %
// of GPU time, the default of gang_share).
constexpr std::array<Quantile, 6> kGangDurations{
    {{0, 3600}, {2500, 7200}, {5000, 18000}, {7500, 43200}, {9000, 108000}, {10000, 259200}}};

// GPU jobs submitted in each hour of the day, all four Helios clusters together (Hu et al., SC'21;
// the diurnal curve in the figures of HeliosArtifact).
constexpr std::array<std::uint64_t, 24> kHourWeights{329, 307, 248, 217, 205, 202, 199, 186,
                                                     204, 297, 409, 450, 436, 445, 482, 519,
                                                     543, 484, 399, 436, 476, 445, 414, 398};

constexpr std::uint64_t kSecondsPerHour = 3600;
constexpr double kHeaviestLoad = 10;

std::uint64_t draw_size(Rng& rng, std::span<const Size> sizes, std::uint64_t biggest) {
  std::uint64_t total = 0;
  for (const Size& choice : sizes)
    if (choice.size <= biggest) total += choice.weight;
  std::uint64_t left = rng.below(total);
  for (const Size& choice : sizes) {
    if (left < choice.weight) return choice.size;
    left -= choice.weight;
  }
  return sizes.front().size;
}

// Straight between the points, in seconds.
std::uint64_t draw_seconds(Rng& rng, std::span<const Quantile> quantiles) {
  const std::uint64_t share = rng.below(quantiles.back().share);
  const auto above = std::ranges::upper_bound(quantiles, share, {}, &Quantile::share);
  const auto below = std::prev(above);
  const std::uint64_t width = above->share - below->share;
  // Within the step, finer than one part in 10,000.
  const std::uint64_t part = (share - below->share) * 1000 + rng.below(1000);
  return below->seconds + (above->seconds - below->seconds) * part / (width * 1000);
}

struct Shape {
  std::uint64_t gpus = 0;
  std::uint64_t seconds = 0;
};

Shape draw_small(Rng& rng, const WorkloadOptions& options) {
  const std::uint64_t gpus = draw_size(rng, kSmallSizes, options.pool_gpus);
  if (gpus == 1) return {gpus, draw_seconds(rng, kOneGpu)};
  if (gpus < 8) return {gpus, draw_seconds(rng, kUnderEightGpus)};
  return {gpus, draw_seconds(rng, kEightGpusOrMore)};
}

Shape draw_gang(Rng& rng, const WorkloadOptions& options) {
  const std::uint64_t pool_nodes = options.pool_gpus / options.gpus_per_node;
  const std::uint64_t biggest = std::min<std::uint64_t>(options.biggest_gang, pool_nodes);
  const std::uint64_t nodes = draw_size(rng, kGangNodes, biggest);
  return {nodes * options.gpus_per_node, draw_seconds(rng, kGangDurations)};
}

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

using DrawShape = Shape (*)(Rng& rng, const WorkloadOptions& options);

// Jobs that ask for `budget` GPU seconds together.
Result<std::vector<Shape>> draw_shapes(Rng& rng, const WorkloadOptions& options, DrawShape draw,
                                       std::uint64_t budget) {
  const auto longest = static_cast<std::uint64_t>(options.length.count()) / 2'000'000;
  std::vector<Shape> shapes;
  while (budget > 0) {
    Shape shape = draw(rng, options);
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

Result<Trace> draw_jobs(Rng rng, const WorkloadOptions& options, bool gangs, double load) {
  const auto capacity = static_cast<double>(options.pool_gpus) * seconds(options.length);
  const auto budget = static_cast<std::uint64_t>(load * capacity);
  const auto shapes = WEIR_TRY(draw_shapes(rng, options, gangs ? draw_gang : draw_small, budget));
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
    job.vc = gangs ? "gangs" : "small";
    job.gpus = shapes[i].gpus;
    job.job.name = fmt::format("{}-{}", gangs ? "gang" : "small", i + 1);
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
  if (options.kind != WorkloadKind::kSmall &&
      std::min<std::uint64_t>(options.biggest_gang, pool_nodes) < kGangNodes.front().size)
    return bad_input(fmt::format(
        "gangs have at least 2 nodes: a pool of {} nodes and a biggest gang of {} hold none",
        pool_nodes, options.biggest_gang));
  return {};
}

constexpr std::array<std::string_view, 3> kKindNames{"small", "gangs", "mixed"};

}  // namespace

std::string_view to_text(WorkloadKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Result<WorkloadKind> parse_workload_kind(std::string_view text) {
  const auto found = std::ranges::find(kKindNames, text);
  if (found == kKindNames.end())
    return bad_input(
        fmt::format("{} is no kind of workload: expected small, gangs or mixed", quoted(text)));
  return static_cast<WorkloadKind>(found - kKindNames.begin());
}

Result<Trace> generate_workload(const WorkloadOptions& options) {
  WEIR_TRY(check(options));
  double gang_share = 0;
  if (options.kind == WorkloadKind::kGangs) gang_share = 1;
  if (options.kind == WorkloadKind::kMixed) gang_share = options.gang_share;
  // Each part draws from a stream of its own, so that one does not change with the other's share.
  Rng seeds(options.seed);
  const Rng small_draws(seeds.next());
  const Rng gang_draws(seeds.next());
  const Trace small =
      WEIR_TRY(draw_jobs(small_draws, options, false, options.load * (1 - gang_share)));
  const Trace gangs = WEIR_TRY(draw_jobs(gang_draws, options, true, options.load * gang_share));
  Trace both;
  both.reserve(small.size() + gangs.size());
  std::ranges::merge(small, gangs, std::back_inserter(both), {}, &TraceJob::submit,
                     &TraceJob::submit);
  return both;
}

}  // namespace weir::sim
