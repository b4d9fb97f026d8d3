#include "sched/placement/tree_shares.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "sched/placement/cell_search.hpp"

namespace weir::sched {
namespace {

using pool::FreeCapacityIndex;
using pool::Slot;

}  // namespace

std::vector<DomainShare> capacities_under(const FreeCapacityIndex& index, std::size_t depth,
                                          DomainId domain, std::size_t at,
                                          std::span<const std::uint16_t> capacity) {
  FreeCapacityIndex::Range range{domain.value(), domain.value() + 1};
  for (; depth > at; --depth)
    range = {index.children(depth, DomainId(range.first)).first,
             index.children(depth, DomainId(range.last - 1)).last};
  std::vector<DomainShare> found;
  for (std::uint32_t d = range.first; d < range.last; ++d)
    if (capacity[d] > 0) found.push_back({DomainId(d), capacity[d]});
  return found;
}

std::vector<DomainShare> share_best_fit(std::vector<DomainShare> capacities, std::uint32_t amount) {
  std::vector<DomainShare> shares;
  while (amount > 0) {
    WEIR_ASSERT(!capacities.empty());
    auto best = capacities.begin();
    for (auto one = capacities.begin(); one != capacities.end(); ++one) {
      const bool suffices = one->amount >= amount;
      const bool best_suffices = best->amount >= amount;
      if (suffices != best_suffices
              ? suffices
              : (suffices ? one->amount < best->amount : one->amount > best->amount))
        best = one;
    }
    const std::uint32_t taken = std::min(amount, best->amount);
    shares.push_back({best->domain, taken});
    amount -= taken;
    capacities.erase(best);
  }
  return shares;
}

std::vector<DomainShare> share_least_free(std::vector<DomainShare> capacities,
                                          std::uint32_t amount) {
  std::ranges::sort(capacities, [](const DomainShare& a, const DomainShare& b) {
    return a.amount != b.amount ? a.amount < b.amount : b.domain < a.domain;
  });
  const auto alone = std::ranges::lower_bound(capacities, amount, {}, &DomainShare::amount);
  if (alone != capacities.end()) return {{alone->domain, amount}};
  std::vector<DomainShare> shares;
  for (const DomainShare& one : capacities) {
    if (amount == 0) break;
    shares.push_back({one.domain, std::min(amount, one.amount)});
    amount -= shares.back().amount;
  }
  WEIR_ASSERT(amount == 0);
  return shares;
}

std::optional<Slot> tail_under(const FreeCapacityIndex& index, const NodeQuery& query,
                               std::span<const std::uint16_t> tail_nodes,
                               FreeCapacityIndex::Range cells, std::span<const Slot> chosen) {
  const CellSearch search(index, query);
  for (std::uint32_t gpus = query.demand.gpus; gpus <= index.max_gpus(); ++gpus)
    for (std::uint32_t cell = cells.first; cell < cells.last; ++cell)
      if (tail_nodes[cell] > 0)
        if (const auto found = search.first_with(DomainId(cell), gpus, chosen)) return found;
  return std::nullopt;
}

}  // namespace weir::sched
