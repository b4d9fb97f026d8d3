// Figures of a run from its outcomes: distributions, utilisation, series over time.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/result.hpp"

namespace weir::sim {

// Mean and nearest-rank percentiles: the p-th is the ceil(p/100 * n)-th smallest. All zero for
// none.
Distribution distribution(std::vector<Duration> values);

// Where a job ran: GPUs in one unit.
struct UnitShare {
  std::uint32_t row = 0;  // in outcomes
  DomainId unit;
  double gpus = 0;
};

struct PoolSize {
  std::uint64_t gpus = 0;
  std::uint32_t units = 0;  // 0 without a topology
};

// Fills everything in `result` that follows from result.outcomes.
void fill_figures(const PoolSize& pool, const std::vector<UnitShare>& shares, std::uint32_t steps,
                  RunResult& result);

}  // namespace weir::sim
