#include "sched/placement/kueue_placer.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "sched/placement/balanced_shares.hpp"
#include "sched/placement/cell_search.hpp"

namespace weir::sched {

using pool::FreeCapacityIndex;
using pool::Slot;

std::optional<Placement> KueuePlacer::place(const FreeCapacityIndex& index, const Request& request,
                                            Rng& /*rng*/) {
  if (request.whole.classes.empty() || !counts_.compute(index, request)) return std::nullopt;
  const Where where = choose_domain(index, request);
  if (where.domain.is_none()) return std::nullopt;
  chosen_.clear();
  // What a tail may join must be known before the whole parts, so only gangs without one balance.
  const bool may_balance =
      rule_ == kBalanced && request.wish.segment_nodes == 0 && !request.gang.has_tail();
  if (!may_balance || !fill_balanced(index, request)) {
    const bool grouped = where.depth >= counts_.depths().segment;
    fill(index, request, where.depth,
         {where.domain, grouped ? request.groups() : request.gang.nodes});
  }
  WEIR_ASSERT(chosen_.size() == request.gang.nodes);
  std::ranges::sort(chosen_);
  std::optional<Slot> tail;
  if (request.gang.has_tail()) {
    tail = tail_under(index, request.tail, counts_.tail_nodes(0),
                      index.cells_under(where.depth, where.domain), chosen_);
    WEIR_ASSERT(tail.has_value());
  }
  return finish_placement(index, chosen_, tail);
}

KueuePlacer::Where KueuePlacer::choose_domain(const FreeCapacityIndex& index,
                                              const Request& request) const {
  const std::size_t widest = counts_.depths().widest;
  std::size_t depth = widest;
  if (!request.wish.require) {
    if (request.wish.prefer && index.depth_of(*request.wish.prefer) < index.levels()) {
      depth = std::min(index.depth_of(*request.wish.prefer), widest);
    } else if (const DomainId cell = counts_.tightest(0); !cell.is_none()) {
      return {0, cell};
    }
    // No level named: the lowest domains, wherever they stand.
  }
  for (; depth < widest; ++depth)
    if (const DomainId domain = counts_.tightest(depth); !domain.is_none()) return {depth, domain};
  return {widest, counts_.tightest(widest)};
}

void KueuePlacer::fill(const FreeCapacityIndex& index, const Request& request, std::size_t depth,
                       DomainShare share_of) {
  const std::size_t segment = counts_.depths().segment;
  if (depth == segment) share_of.amount *= request.group_nodes();
  if (depth == 0) {
    CellSearch(index, request.whole).take_tightest(share_of.domain, share_of.amount, chosen_);
    return;
  }
  const bool grouped = depth > segment;
  // Without a named level the rule goes over the lowest domains at once, else level by level.
  const bool named = request.wish.require || request.wish.prefer;
  const std::size_t below = named ? depth - 1 : (grouped ? segment : 0);
  const auto capacities = capacities_under(index, depth, share_of.domain, below,
                                           grouped ? counts_.groups(below) : counts_.nodes(below));
  for (const DomainShare& part : share(capacities, share_of.amount))
    fill(index, request, below, part);
}

bool KueuePlacer::fill_balanced(const FreeCapacityIndex& index, const Request& request) {
  if (!request.wish.require && !request.wish.prefer) return false;
  const std::size_t widest = counts_.depths().widest;
  const Level level = request.wish.prefer ? *request.wish.prefer : *request.wish.require;
  const std::size_t named = std::min(index.depth_of(level), widest);
  const std::size_t above = std::min(named + 1, widest);
  const std::size_t below = named > 0 ? named - 1 : 0;
  std::vector<BalancedSet> sets;
  for (std::uint32_t d = 0; d < index.domains(above); ++d) {
    BalancedSet set;
    for (const DomainShare& one :
         capacities_under(index, above, DomainId(d), named, counts_.nodes(named)))
      set.push_back(
          {one.domain, capacities_under(index, named, one.domain, below, counts_.nodes(below))});
    sets.push_back(std::move(set));
  }
  const std::vector<DomainShare> shares =
      share_balanced(sets, request.gang.nodes, /*two_levels=*/below < named);
  for (const DomainShare& part : shares) fill(index, request, below, part);
  return !shares.empty();
}

std::vector<DomainShare> KueuePlacer::share(std::vector<DomainShare> capacities,
                                            std::uint32_t amount) const {
  return rule_ == kLeastFree ? share_least_free(std::move(capacities), amount)
                             : share_best_fit(std::move(capacities), amount);
}

}  // namespace weir::sched
