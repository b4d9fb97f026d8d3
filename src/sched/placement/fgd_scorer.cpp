#include "sched/placement/fgd_scorer.hpp"

#include <algorithm>
#include <cmath>

#include "base/limits.hpp"

namespace weir::sched {
namespace {

using pool::Slot;

// Demands whose scores are remembered: a log has hundreds.
constexpr std::size_t kDemandsKnown = 2048;

}  // namespace

SigmoidCut::SigmoidCut(std::int64_t total) {
  for (std::size_t k = 1; k <= least_.size(); ++k) {
    const auto part = static_cast<double>(k);
    least_[k - 1] = static_cast<std::int64_t>(
        std::ceil(std::log(part / (100 - part)) * static_cast<double>(total) * kWholeMilli));
  }
}

std::int64_t SigmoidCut::operator()(std::int64_t fall) const {
  return std::ranges::upper_bound(least_, fall) - least_.begin();
}

void FgdScorer::expect(const TypicalDemand& demand, const pool::ClassTable& classes) {
  measure_ = FragmentMeasure(demand, classes, looks_);
  cut_ = SigmoidCut(measure_.total());
  forget();
}

void FgdScorer::forget() {
  seen_.clear();
  lefts_.clear();
  known_.clear();
  epochs_ = 0;
}

void FgdScorer::begin(const pool::FreeCapacityIndex& index, const Capacity& demand) {
  index_ = &index;
  demand_ = demand;
  demand_.memory_mib = 0;  // the measure does not look at it
  const std::size_t slots = index.slots();
  if (seen_.size() != slots || lefts_.size() != slots * index.max_gpus() ||
      known_.size() > kDemandsKnown || epochs_ > UINT32_MAX / 2)
    forget();
  seen_.resize(slots);
  lefts_.resize(slots * index.max_gpus());
  of_demand_ = &known_[demand_];
  of_demand_->resize(slots);
}

void FgdScorer::look(Slot slot) {
  Seen& seen = seen_[slot.index()];
  const auto left = index_->shared_left(slot);
  const auto row = std::span(lefts_).subspan(slot.index() * index_->max_gpus(), left.size());
  const Capacity& free = index_->free_at(slot);
  if (seen.epoch > 0 && seen.free == free && seen.node_class == index_->class_at(slot) &&
      std::ranges::equal(left, row))
    return;
  std::ranges::copy(left, row.begin());
  const IdleGpus idle = idle_gpus(*index_, slot);
  seen = {idle.node_class, free, ++epochs_, measure_.of(idle)};
}

NodeScorer::Score FgdScorer::score(Slot slot) {
  look(slot);
  Known& known = (*of_demand_)[slot.index()];
  if (known.epoch != seen_[slot.index()].epoch) {
    const Score found = work_out(slot);
    known = {seen_[slot.index()].epoch, static_cast<std::int16_t>(found.value),
             static_cast<std::int16_t>(found.gpu ? *found.gpu : -1)};
  }
  Score score{known.value, {}};
  if (known.gpu >= 0) score.gpu = static_cast<std::uint8_t>(known.gpu);
  return score;
}

std::int64_t FgdScorer::value_on(Slot slot, int gpu) const {
  IdleGpus after = idle_gpus(*index_, slot);
  std::array<std::uint16_t, limits::kGpusPerNode + 1> lefts{};
  std::size_t count = after.shared_left.size();
  std::ranges::copy(after.shared_left, lefts.begin());
  after.cpu_milli -= demand_.cpu_milli;
  if (gpu >= 0) {
    std::uint16_t& left = lefts[static_cast<std::size_t>(gpu)];
    left = static_cast<std::uint16_t>(left - demand_.gpu_milli);
  } else if (demand_.asks_share()) {
    --after.whole;
    lefts[count++] = static_cast<std::uint16_t>(kWholeMilli - demand_.gpu_milli);
  } else {
    after.whole -= demand_.gpus;
  }
  after.shared_left = std::span(lefts).first(count);
  return cut_(seen_[slot.index()].fragment - measure_.of(after));
}

NodeScorer::Score FgdScorer::work_out(Slot slot) const {
  if (!demand_.asks_share()) return {value_on(slot, -1), {}};
  Score best{-1, {}};
  const auto left = index_->shared_left(slot);
  for (std::size_t gpu = 0; gpu < left.size(); ++gpu) {
    if (left[gpu] < demand_.gpu_milli) continue;
    // A GPU with as much left as one before it scores as that one.
    if (std::ranges::find(left.first(gpu), left[gpu]) !=
        left.begin() + static_cast<std::ptrdiff_t>(gpu))
      continue;
    const std::int64_t value = value_on(slot, static_cast<int>(gpu));
    if (value > best.value) best = {value, static_cast<std::uint8_t>(gpu)};
  }
  if (index_->free_at(slot).gpus > 0) {
    const std::int64_t value = value_on(slot, -1);
    if (value > best.value) best = {value, pool::kFreshGpu};
  }
  return best;
}

}  // namespace weir::sched
