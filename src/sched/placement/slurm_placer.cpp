#include "sched/placement/slurm_placer.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "sched/placement/cell_search.hpp"
#include "sched/placement/tree_shares.hpp"

namespace weir::sched {

using pool::FreeCapacityIndex;
using pool::Slot;

std::optional<Placement> SlurmPlacer::place(const FreeCapacityIndex& index, const Request& request,
                                            Rng& /*rng*/) {
  if (request.whole.classes.empty() || !counts_.compute(index, request)) return std::nullopt;
  std::size_t depth = 0;
  DomainId domain = counts_.tightest(depth);
  while (domain.is_none() && depth < counts_.depths().widest) domain = counts_.tightest(++depth);
  if (domain.is_none()) return std::nullopt;

  chosen_.clear();
  const std::size_t segment = counts_.depths().segment;
  if (request.wish.segment_nodes > 0 && depth >= segment) {
    const auto homes = capacities_under(index, depth, domain, segment, counts_.groups(segment));
    for (const DomainShare& share : share_best_fit(homes, request.groups()))
      take_nodes(index, request.whole, segment, share.domain, share.amount * request.group_nodes());
  } else {
    take_nodes(index, request.whole, depth, domain, request.gang.nodes);
  }
  std::ranges::sort(chosen_);
  std::optional<Slot> tail;
  if (request.gang.has_tail()) {
    tail = tail_under(index, request.tail, counts_.tail_nodes(0), index.cells_under(depth, domain),
                      chosen_);
    WEIR_ASSERT(tail.has_value());
  }
  return finish_placement(index, chosen_, tail);
}

void SlurmPlacer::take_nodes(const FreeCapacityIndex& index, const NodeQuery& query,
                             std::size_t depth, DomainId domain, std::uint32_t amount) {
  const CellSearch search(index, query);
  const auto leaves = capacities_under(index, depth, domain, 0, counts_.nodes(0));
  for (const DomainShare& share : share_best_fit(leaves, amount)) {
    std::vector<Slot> serving;
    search.all(share.domain, serving);
    WEIR_ASSERT(serving.size() >= share.amount);
    chosen_.insert(chosen_.end(), serving.begin(), serving.begin() + share.amount);
  }
}

}  // namespace weir::sched
