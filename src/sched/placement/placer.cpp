#include "sched/placement/placer.hpp"

#include <algorithm>
#include <array>

#include "sched/placement/best_fit_scorer.hpp"
#include "sched/placement/fgd_scorer.hpp"
#include "sched/placement/in_order_placer.hpp"
#include "sched/placement/kueue_placer.hpp"
#include "sched/placement/scored_placer.hpp"
#include "sched/placement/slurm_placer.hpp"
#include "sched/placement/weir_pack_scorer.hpp"
#include "sched/placement/weir_placer.hpp"

namespace weir::sched {
namespace {

template <typename Scorer>
std::unique_ptr<Placer> scored() {
  return std::make_unique<ScoredPlacer>(std::make_unique<Scorer>());
}

}  // namespace

std::span<const PlacerEntry> placers() {
  static constexpr std::array<PlacerEntry, 11> kPlacers{{
      {"weir", "smallest domain, best fit inside it, ranks along the fabric",
       [] { return std::unique_ptr<Placer>(std::make_unique<WeirPlacer>()); }},
      {"firstfit", "lowest nodes that serve, wherever they stand",
       [] {
         return std::unique_ptr<Placer>(std::make_unique<InOrderPlacer>(InOrderPlacer::kLowest));
       }},
      {"random", "any nodes that serve",
       [] {
         return std::unique_ptr<Placer>(std::make_unique<InOrderPlacer>(InOrderPlacer::kShuffled));
       }},
      {"slurm", "Slurm's topology/tree: the lowest switch that fits, its leaves by best fit",
       [] { return std::unique_ptr<Placer>(std::make_unique<SlurmPlacer>()); }},
      {"kueue", "Kueue's best fit, level by level",
       [] {
         return std::unique_ptr<Placer>(std::make_unique<KueuePlacer>(KueuePlacer::kBestFit));
       }},
      {"kueue-least", "Kueue's least free capacity: the smallest domains first",
       [] {
         return std::unique_ptr<Placer>(std::make_unique<KueuePlacer>(KueuePlacer::kLeastFree));
       }},
      {"kueue-balanced", "Kueue's balanced placement, else its best fit",
       [] {
         return std::unique_ptr<Placer>(std::make_unique<KueuePlacer>(KueuePlacer::kBalanced));
       }},
      {"bestfit", "node with the fewest CPUs and GPUs left over", scored<BestFitScorer>},
      {"fgd", "where typical demand loses least of the idle GPUs", scored<FgdScorer>},
      {"weir-pack", "as fgd, looking ahead to where CPUs run out before GPUs",
       scored<WeirPackScorer>},
      {"spread", "node with most of its GPUs free, for inference", scored<SpreadScorer>},
  }};
  return kPlacers;
}

Placement finish_placement(const pool::FreeCapacityIndex& index, std::vector<pool::Slot>& whole,
                           std::optional<pool::Slot> tail) {
  std::ranges::sort(whole);
  Placement placement;
  placement.nodes.reserve(whole.size() + (tail ? 1 : 0));
  for (const pool::Slot slot : whole) placement.nodes.push_back(index.node_at(slot));
  if (tail) placement.nodes.push_back(index.node_at(*tail));

  // Slots ascend along the tree, so the outermost two decide.
  DomainId low = index.cell_of(placement.nodes.front());
  DomainId high = low;
  for (const NodeId node : {placement.nodes[whole.size() - 1], placement.nodes.back()}) {
    low = std::min(low, index.cell_of(node));
    high = std::max(high, index.cell_of(node));
  }
  std::size_t depth = 0;
  for (; low != high; ++depth) {
    low = index.parent(depth, low);
    high = index.parent(depth, high);
  }
  placement.spans = index.level(depth);
  return placement;
}

}  // namespace weir::sched
