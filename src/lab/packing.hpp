// Packing: the same random task sequences on the same pool under several placements, and what each
// could give away (sim/fill.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "lab/pool_source.hpp"
#include "lab/trace_source.hpp"
#include "sim/fill.hpp"

namespace weir::lab {

struct PackingOptions {
  std::vector<std::string> placements{"weir"};
  std::vector<std::uint64_t> seeds{1};
  double fill = 1.3;  // of the pool's GPUs that tasks ask for, in all
};

// Mean over the seeds and the standard deviation of a sample (0 for one seed).
struct Spread {
  double mean = 0;
  double sd = 0;
};
Spread spread_of(const std::vector<double>& values);

struct PackingPolicy {
  std::string placement;
  Spread allocated_pct;
  std::optional<Spread> fragmented_at_80;
  std::optional<Spread> fragmented_at_100;
  std::vector<sim::FillResult> runs;  // by seed
};

struct PackingReport {
  std::string pool;
  std::string tasks;
  std::uint64_t nodes = 0;
  std::uint64_t gpus = 0;
  double fill = 0;
  std::vector<std::uint64_t> seeds;
  std::size_t typical_shapes = 0;  // by which fragments are counted
  std::vector<PackingPolicy> policies;
};

// What the jobs of a log ask for most, by which fragments are counted and some placements choose.
sched::TypicalDemand typical_of(const Trace& trace, std::uint32_t gpus_per_node);

// "42", "42..51" or "1,5,7..9". Errors: another form, more than 1,000 seeds.
Result<std::vector<std::uint64_t>> parse_seeds(std::string_view text);

// `progress` is told "fgd, seed 43" before each run.
using PackingProgress = std::function<void(std::string_view)>;
Result<PackingReport> pack(const LabPool& pool, const LabTrace& trace,
                           const PackingOptions& options, const PackingProgress& progress = {});

}  // namespace weir::lab
