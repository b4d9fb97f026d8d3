#include "sim/job_shapes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

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

// Helios, all four clusters: jobs by GPUs in 10,000 and quantiles of their durations (Hu et al.,
// SC'21; the curves in the figures of HeliosArtifact and AcmeTrace).
constexpr std::array<Size, 12> kHeliosSizes{{{1, 7219},
                                             {2, 256},
                                             {4, 572},
                                             {8, 1419},
                                             {16, 303},
                                             {24, 36},
                                             {32, 127},
                                             {40, 10},
                                             {48, 16},
                                             {64, 19},
                                             {80, 8},
                                             {128, 13}}};
constexpr std::array<Quantile, 17> kHeliosDurations{{{0, 1},
                                                     {400, 2},
                                                     {635, 4},
                                                     {1072, 16},
                                                     {1615, 32},
                                                     {2488, 64},
                                                     {3781, 128},
                                                     {5657, 256},
                                                     {6758, 512},
                                                     {7525, 1024},
                                                     {8410, 2048},
                                                     {9075, 8192},
                                                     {9436, 16384},
                                                     {9777, 65536},
                                                     {9890, 131072},
                                                     {9955, 262144},
                                                     {10000, 2097152}}};

// Acme's cluster Seren (Hu et al., NSDI'24; the curves in the figures of AcmeTrace): jobs by type
// in 1,000. Sizes are known for all types together only; half of the jobs of 64 GPUs or more are
// taken for pretraining, which gives it about the share of the GPU time that is published (69.5 %).
struct AcmeType {
  std::string_view name;
  std::uint64_t weight;
  std::array<Quantile, 11> durations;
};
constexpr std::array<AcmeType, 6> kAcmeTypes{{
    {"evaluation",
     649,
     {{{0, 1},
       {522, 4},
       {2518, 16},
       {3738, 64},
       {6717, 256},
       {8880, 1024},
       {9653, 4096},
       {9906, 16384},
       {9979, 65536},
       {9996, 262144},
       {10000, 1048576}}}},
    {"sft",
     149,
     {{{0, 1},
       {346, 4},
       {1262, 16},
       {2759, 64},
       {5761, 256},
       {8927, 1024},
       {9734, 4096},
       {9916, 16384},
       {9980, 65536},
       {9998, 262144},
       {10000, 1048576}}}},
    {"other",
     146,
     {{{0, 1},
       {939, 4},
       {2909, 16},
       {4681, 64},
       {7091, 256},
       {8553, 1024},
       {9419, 4096},
       {9665, 16384},
       {9931, 65536},
       {9984, 262144},
       {10000, 2097152}}}},
    {"mllm",
     29,
     {{{0, 1},
       {510, 4},
       {1470, 16},
       {3344, 64},
       {5017, 256},
       {7970, 1024},
       {8916, 4096},
       {9291, 16384},
       {9888, 65536},
       {9983, 262144},
       {10000, 2097152}}}},
    {"debug",
     19,
     {{{0, 1},
       {632, 4},
       {1934, 16},
       {3913, 64},
       {6837, 256},
       {9122, 1024},
       {9736, 4096},
       {9881, 16384},
       {9956, 65536},
       {9986, 262144},
       {10000, 1048576}}}},
    {"pretrain",
     9,
     {{{0, 1},
       {986, 4},
       {1560, 16},
       {2737, 64},
       {4680, 256},
       {7342, 1024},
       {8408, 4096},
       {8845, 16384},
       {9431, 65536},
       {9878, 262144},
       {10000, 2097152}}}},
}};
constexpr std::array<Size, 13> kSerenSizes{{{1, 5404},
                                            {2, 1139},
                                            {4, 252},
                                            {8, 2861},
                                            {16, 101},
                                            {32, 81},
                                            {48, 7},
                                            {64, 31},
                                            {128, 13},
                                            {256, 9},
                                            {512, 6},
                                            {768, 4},
                                            {1024, 3}}};
constexpr std::array<Size, 9> kPretrainSizes{
    {{8, 20}, {16, 10}, {32, 15}, {64, 12}, {128, 11}, {256, 9}, {512, 7}, {768, 4}, {1024, 3}}};

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

}  // namespace

JobShape draw_small(Rng& rng, const ShapeLimits& limits) {
  const std::uint64_t gpus = draw_size(rng, kSmallSizes, limits.pool_gpus);
  if (gpus == 1) return {"small", gpus, draw_seconds(rng, kOneGpu)};
  if (gpus < 8) return {"small", gpus, draw_seconds(rng, kUnderEightGpus)};
  return {"small", gpus, draw_seconds(rng, kEightGpusOrMore)};
}

JobShape draw_gang(Rng& rng, const ShapeLimits& limits) {
  const std::uint64_t pool_nodes = limits.pool_gpus / limits.gpus_per_node;
  const std::uint64_t biggest = std::min<std::uint64_t>(limits.biggest_gang, pool_nodes);
  const std::uint64_t nodes = draw_size(rng, kGangNodes, biggest);
  return {"gangs", nodes * limits.gpus_per_node, draw_seconds(rng, kGangDurations)};
}

JobShape draw_helios(Rng& rng, const ShapeLimits& limits) {
  const std::uint64_t gpus = draw_size(rng, kHeliosSizes, limits.pool_gpus);
  return {"helios", gpus, draw_seconds(rng, kHeliosDurations)};
}

JobShape draw_acme(Rng& rng, const ShapeLimits& limits) {
  std::uint64_t total = 0;
  for (const AcmeType& type : kAcmeTypes) total += type.weight;
  std::uint64_t left = rng.below(total);
  std::size_t i = 0;
  while (left >= kAcmeTypes[i].weight) left -= kAcmeTypes[i++].weight;
  const AcmeType& type = kAcmeTypes[i];
  const bool pretrains = type.name == "pretrain" && limits.pool_gpus >= kPretrainSizes[0].size;
  const std::uint64_t gpus = pretrains ? draw_size(rng, kPretrainSizes, limits.pool_gpus)
                                       : draw_size(rng, kSerenSizes, limits.pool_gpus);
  return {type.name, gpus, draw_seconds(rng, type.durations)};
}

}  // namespace weir::sim
