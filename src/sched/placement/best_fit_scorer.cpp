#include "sched/placement/best_fit_scorer.hpp"

#include <algorithm>

#include "sched/placement/fragments.hpp"

namespace weir::sched {

void BestFitScorer::begin(const pool::FreeCapacityIndex& index, const Capacity& demand) {
  index_ = &index;
  demand_ = demand;
  most_cpu_ = 1;
  most_gpu_ = 1;
  for (std::uint32_t c = 0; c < index.classes(); ++c) {
    const Capacity& total = index.total(pool::ClassId(c));
    most_cpu_ = std::max<std::uint64_t>(most_cpu_, total.cpu_milli);
    most_gpu_ = std::max<std::uint64_t>(most_gpu_, total.milli_gpus());
  }
}

NodeScorer::Score BestFitScorer::score(pool::Slot slot) {
  const IdleGpus idle = idle_gpus(*index_, slot);
  const std::uint64_t cpu = idle.cpu_milli - demand_.cpu_milli;
  const std::uint64_t gpu = idle.milli() - demand_.milli_gpus();
  // 100 (1 - cpu / 2 most_cpu - gpu / 2 most_gpu), cut.
  const std::uint64_t whole = 2 * most_cpu_ * most_gpu_;
  const std::uint64_t left = cpu * most_gpu_ + gpu * most_cpu_;
  return {static_cast<std::int64_t>(100 * (whole - left) / whole), {}};
}

void SpreadScorer::begin(const pool::FreeCapacityIndex& index, const Capacity& demand) {
  index_ = &index;
  demand_ = demand;
}

NodeScorer::Score SpreadScorer::score(pool::Slot slot) {
  const IdleGpus idle = idle_gpus(*index_, slot);
  const Capacity& total = index_->total(idle.node_class);
  const std::uint64_t milli = std::max<std::uint64_t>(total.milli_gpus(), 1);
  Score score{static_cast<std::int64_t>(idle.milli() * 1'000'000 / milli), {}};
  // Without GPUs, CPUs tell how full it is.
  if (total.gpus == 0 && total.cpu_milli > 0)
    score.value =
        static_cast<std::int64_t>(std::uint64_t{idle.cpu_milli} * 1'000'000 / total.cpu_milli);
  if (!demand_.asks_share()) return score;
  // The usual choice would be the fullest GPU that suffices.
  score.gpu = pool::kFreshGpu;
  if (idle.whole > 0) return score;
  score.gpu = static_cast<std::uint8_t>(std::ranges::max_element(idle.shared_left) -
                                        idle.shared_left.begin());
  return score;
}

}  // namespace weir::sched
