// BestFitScorer ("bestfit"): the node that has the least left over, as the simulator of the FGD
// paper scores it: half of the CPUs and half of the GPUs left, each in parts of the largest node's,
// cut to an integer of 0..100. SpreadScorer ("spread", for inference): the node with most of its
// GPUs free, and of its GPUs the one with most left, so that load spreads.
#pragma once

#include "sched/placement/scored_placer.hpp"

namespace weir::sched {

class BestFitScorer final : public NodeScorer {
 public:
  void begin(const pool::FreeCapacityIndex& index, const Capacity& demand) override;
  Score score(pool::Slot slot) override;

 private:
  const pool::FreeCapacityIndex* index_ = nullptr;
  Capacity demand_;
  std::uint64_t most_cpu_ = 1;
  std::uint64_t most_gpu_ = 1;
};

class SpreadScorer final : public NodeScorer {
 public:
  void begin(const pool::FreeCapacityIndex& index, const Capacity& demand) override;
  Score score(pool::Slot slot) override;

 private:
  const pool::FreeCapacityIndex* index_ = nullptr;
  Capacity demand_;
};

}  // namespace weir::sched
