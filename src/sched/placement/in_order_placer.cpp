#include "sched/placement/in_order_placer.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "sched/placement/cell_search.hpp"

namespace weir::sched {
namespace {

using pool::FreeCapacityIndex;
using pool::Slot;

// Moves `wanted` items drawn at random to the front (Fisher-Yates, stopped early).
template <typename T>
void draw_to_front(std::vector<T>& items, std::size_t wanted, Rng& rng) {
  for (std::size_t i = 0; i < wanted && i + 1 < items.size(); ++i)
    std::swap(items[i], items[i + static_cast<std::size_t>(rng.below(items.size() - i))]);
}

// Slots of the serving nodes under a domain, ascending.
std::vector<Slot> serving_slots(const FreeCapacityIndex& index, const NodeQuery& query,
                                std::span<const std::uint16_t> per_cell,
                                FreeCapacityIndex::Range cells) {
  std::vector<Slot> slots;
  const CellSearch search(index, query);
  for (std::uint32_t cell = cells.first; cell < cells.last; ++cell)
    if (per_cell[cell] > 0) search.all(DomainId(cell), slots);
  return slots;
}

}  // namespace

std::optional<Placement> InOrderPlacer::place(const FreeCapacityIndex& index,
                                              const Request& request, Rng& rng) {
  if (request.whole.classes.empty() || !counts_.compute(index, request)) return std::nullopt;
  const DomainId domain = choose_domain(index, rng);
  if (domain.is_none()) return std::nullopt;
  chosen_.clear();
  choose_whole(index, request, domain, rng);
  WEIR_ASSERT(chosen_.size() == request.gang.nodes);
  std::ranges::sort(chosen_);
  std::optional<Slot> tail;
  if (request.gang.has_tail()) {
    tail = choose_tail(index, request.tail, domain, rng);
    WEIR_ASSERT(tail.has_value());
  }
  return finish_placement(index, chosen_, tail);
}

DomainId InOrderPlacer::choose_domain(const FreeCapacityIndex& index, Rng& rng) const {
  const std::size_t depth = counts_.depths().widest;
  std::vector<DomainId> fitting;
  for (std::uint32_t d = 0; d < index.domains(depth); ++d)
    if (counts_.holds_gang(depth, DomainId(d))) fitting.push_back(DomainId(d));
  if (fitting.empty()) return DomainId::none();
  if (order_ == kLowest) return fitting.front();
  return fitting[static_cast<std::size_t>(rng.below(fitting.size()))];
}

void InOrderPlacer::choose_whole(const FreeCapacityIndex& index, const Request& request,
                                 DomainId domain, Rng& rng) {
  const std::size_t widest = counts_.depths().widest;
  // Without segments, or where the whole gang lies inside one segment's domain, one group of all.
  if (request.wish.segment_nodes == 0 || widest < counts_.depths().segment) {
    chosen_ =
        serving_slots(index, request.whole, counts_.nodes(0), index.cells_under(widest, domain));
    if (order_ == kShuffled) draw_to_front(chosen_, request.gang.nodes, rng);
    WEIR_ASSERT(chosen_.size() >= request.gang.nodes);
    chosen_.resize(request.gang.nodes);
    return;
  }
  const std::size_t depth = counts_.depths().segment;
  FreeCapacityIndex::Range range{domain.value(), domain.value() + 1};
  for (std::size_t d = widest; d > depth; --d)
    range = {index.children(d, DomainId(range.first)).first,
             index.children(d, DomainId(range.last - 1)).last};
  std::vector<DomainId> homes;  // one entry for every segment that fits
  for (std::uint32_t d = range.first; d < range.last; ++d)
    homes.insert(homes.end(), counts_.groups(depth)[d], DomainId(d));
  if (order_ == kShuffled) draw_to_front(homes, request.groups(), rng);
  WEIR_ASSERT(homes.size() >= request.groups());
  homes.resize(request.groups());
  std::ranges::sort(homes);
  for (std::size_t i = 0; i < homes.size();) {
    const auto same = static_cast<std::size_t>(std::ranges::count(homes, homes[i]));
    std::vector<Slot> slots =
        serving_slots(index, request.whole, counts_.nodes(0), index.cells_under(depth, homes[i]));
    const std::size_t wanted = same * request.wish.segment_nodes;
    WEIR_ASSERT(slots.size() >= wanted);
    if (order_ == kShuffled) draw_to_front(slots, wanted, rng);
    chosen_.insert(chosen_.end(), slots.begin(),
                   slots.begin() + static_cast<std::ptrdiff_t>(wanted));
    i += same;
  }
}

std::optional<Slot> InOrderPlacer::choose_tail(const FreeCapacityIndex& index,
                                               const NodeQuery& query, DomainId domain,
                                               Rng& rng) const {
  std::vector<Slot> slots = serving_slots(index, query, counts_.tail_nodes(0),
                                          index.cells_under(counts_.depths().widest, domain));
  std::erase_if(slots, [&](Slot slot) { return std::ranges::binary_search(chosen_, slot); });
  if (slots.empty()) return std::nullopt;
  if (order_ == kShuffled) draw_to_front(slots, 1, rng);
  return slots.front();
}

}  // namespace weir::sched
