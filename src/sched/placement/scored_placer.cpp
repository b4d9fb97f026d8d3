#include "sched/placement/scored_placer.hpp"

#include "sched/placement/cell_search.hpp"

namespace weir::sched {

using pool::Slot;

std::optional<Placement> ScoredPlacer::place(const pool::FreeCapacityIndex& index,
                                             const Request& request, Rng& rng) {
  const TopologyWish& wish = request.wish;
  if (!request.single_node() || wish.exclusive || wish.segment_nodes > 0)
    return gangs_.place(index, request, rng);
  if (request.whole.classes.empty() ||
      (wish.require && index.depth_of(*wish.require) == index.levels()))
    return std::nullopt;
  serving_.clear();
  const CellSearch search(index, request.whole);
  for (std::uint32_t cell = 0; cell < index.domains(0); ++cell)
    search.all(DomainId(cell), serving_);
  if (serving_.empty()) return std::nullopt;
  scorer_->begin(index, request.whole.demand);
  Slot best = serving_.front();
  NodeScorer::Score best_score = scorer_->score(best);
  for (const Slot slot : std::span(serving_).subspan(1)) {
    const NodeScorer::Score score = scorer_->score(slot);
    if (score.value <= best_score.value) continue;
    best = slot;
    best_score = score;
  }
  serving_.assign(1, best);
  Placement placement = finish_placement(index, serving_, std::nullopt);
  placement.gpu = best_score.gpu;
  return placement;
}

}  // namespace weir::sched
