#include "sched/placement/weir_placer.hpp"

#include <algorithm>
#include <tuple>

#include "base/assert.hpp"
#include "sched/placement/cell_search.hpp"

namespace weir::sched {
namespace {

using pool::FreeCapacityIndex;
using pool::Slot;

struct Candidate {
  std::uint32_t capacity = 0;
  DomainId domain;
  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

// The fewest candidates that together hold `amount`, and among such choices a tight one: a window
// over the ascending capacities, its smallest member replaced by the smallest that still does.
// REQUIRES: `ascending` is sorted and holds `amount` in all.
std::vector<Candidate> tight_set(const std::vector<Candidate>& ascending, std::uint64_t amount) {
  std::size_t members = 0;
  for (std::uint64_t sum = 0; sum < amount; ++members) {
    WEIR_ASSERT(members < ascending.size());
    sum += ascending[ascending.size() - 1 - members].capacity;
  }

  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < members; ++i) sum += ascending[i].capacity;
  std::size_t first = 0;
  for (; sum < amount; ++first)
    sum += ascending[first + members].capacity - ascending[first].capacity;

  std::vector<Candidate> chosen(ascending.begin() + static_cast<std::ptrdiff_t>(first),
                                ascending.begin() + static_cast<std::ptrdiff_t>(first + members));
  const std::uint64_t others = sum - chosen.front().capacity;
  const std::uint64_t missing = amount > others ? amount - others : 0;
  chosen.front() = *std::ranges::lower_bound(ascending, missing, {}, &Candidate::capacity);
  return chosen;
}

// Per domain of `depth`: the nodes of the eligible classes with exactly `gpus` GPUs free.
void count_exact(const FreeCapacityIndex& index, const NodeQuery& query, std::size_t depth,
                 std::uint32_t gpus, std::vector<std::uint16_t>& out) {
  out.assign(index.domains(depth), 0);
  for (const pool::EligibleClass& eligible : query.classes) {
    const auto at_least = index.counts(depth, eligible.id, gpus);
    for (std::size_t d = 0; d < out.size(); ++d)
      out[d] = static_cast<std::uint16_t>(out[d] + at_least[d]);
    if (gpus == index.max_gpus()) continue;
    const auto more = index.counts(depth, eligible.id, gpus + 1);
    for (std::size_t d = 0; d < out.size(); ++d)
      out[d] = static_cast<std::uint16_t>(out[d] - more[d]);
  }
}

}  // namespace

std::optional<Placement> WeirPlacer::place(const FreeCapacityIndex& index, const Request& request,
                                           Rng& /*rng*/) {
  if (request.whole.classes.empty()) return std::nullopt;
  if (request.single_node() && !request.wish.exclusive && request.wish.segment_nodes == 0) {
    if (request.wish.require && index.depth_of(*request.wish.require) == index.levels())
      return std::nullopt;
    return request.whole.demand.asks_share() ? place_share(index, request.whole)
                                             : place_on_one_node(index, request.whole);
  }
  if (!counts_.compute(index, request)) return std::nullopt;
  for (std::size_t depth = 0; depth <= counts_.depths().widest; ++depth) {
    const DomainId domain = counts_.tightest(depth);
    if (domain.is_none()) continue;
    chosen_.clear();
    const bool grouped = depth >= counts_.depths().segment;
    fill(index, request, depth, {domain, grouped ? request.groups() : request.gang.nodes});
    WEIR_ASSERT(chosen_.size() == request.gang.nodes);
    std::ranges::sort(chosen_);
    std::optional<Slot> tail;
    if (request.gang.has_tail()) {
      tail = place_tail(index, request.tail, depth, domain);
      WEIR_ASSERT(tail.has_value());
    }
    return finish_placement(index, chosen_, tail);
  }
  return std::nullopt;
}

std::optional<Placement> WeirPlacer::place_on_one_node(const FreeCapacityIndex& index,
                                                       const NodeQuery& query) {
  bool counted_idle = false;
  for (std::uint32_t gpus = query.demand.gpus; gpus <= index.max_gpus(); ++gpus) {
    count_exact(index, query, index.levels() - 1, gpus, exact_);
    if (std::ranges::all_of(exact_, [](std::uint16_t nodes) { return nodes == 0; })) continue;
    if (!counted_idle) count_idle(index, query);
    counted_idle = true;
    if (const auto slot = tightest_node(index, query, gpus)) {
      chosen_.assign(1, *slot);
      return finish_placement(index, chosen_, std::nullopt);
    }
  }
  return std::nullopt;
}

std::optional<Placement> WeirPlacer::place_share(const FreeCapacityIndex& index,
                                                 const NodeQuery& query) {
  // What is left of the GPU it would get, the node's free GPUs, its cell's idle nodes; ties by
  // slot.
  using Rank = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  count_idle(index, query);
  const CellSearch search(index, query);
  std::optional<Slot> best;
  Rank best_rank;
  for (std::uint32_t cell = 0; cell < idle_.size(); ++cell) {
    chosen_.clear();
    search.all(DomainId(cell), chosen_);
    for (const Slot slot : chosen_) {
      std::uint32_t left = kWholeMilli;
      for (const std::uint16_t on_shared : index.shared_left(slot))
        if (on_shared >= query.demand.gpu_milli) left = std::min<std::uint32_t>(left, on_shared);
      const Rank rank{left, index.free_at(slot).gpus, idle_[cell]};
      if (best && rank >= best_rank) continue;
      best = slot;
      best_rank = rank;
    }
  }
  if (!best) return std::nullopt;
  chosen_.assign(1, *best);
  return finish_placement(index, chosen_, std::nullopt);
}

void WeirPlacer::count_idle(const FreeCapacityIndex& index, const NodeQuery& query) {
  idle_.assign(index.domains(0), 0);
  for (const pool::EligibleClass& eligible : query.classes) {
    const auto counts = index.counts(0, eligible.id, index.whole_node_gpus(eligible.id));
    for (std::size_t cell = 0; cell < counts.size(); ++cell)
      idle_[cell] = static_cast<std::uint16_t>(idle_[cell] + counts[cell]);
  }
}

std::optional<Slot> WeirPlacer::tightest_node(const FreeCapacityIndex& index,
                                              const NodeQuery& query, std::uint32_t gpus) {
  count_exact(index, query, 0, gpus, exact_);
  const CellSearch search(index, query);
  std::optional<Slot> best;
  std::uint32_t best_idle = UINT32_MAX;
  for (std::uint32_t cell = 0; cell < exact_.size(); ++cell) {
    if (exact_[cell] == 0 || idle_[cell] >= best_idle) continue;
    if (const auto slot = search.first_with(DomainId(cell), gpus, {})) {
      best = slot;
      best_idle = idle_[cell];
    }
  }
  return best;
}

void WeirPlacer::fill(const FreeCapacityIndex& index, const Request& request, std::size_t depth,
                      Share share) {
  const std::size_t segment = counts_.depths().segment;
  if (depth == segment) share.amount *= request.group_nodes();
  if (depth == 0) {
    CellSearch(index, request.whole).take_tightest(share.domain, share.amount, chosen_);
    return;
  }
  std::vector<Share> shares;
  split(index, depth, share, depth > segment, shares);
  for (const Share& part : shares) fill(index, request, depth - 1, part);
}

void WeirPlacer::split(const FreeCapacityIndex& index, std::size_t depth, Share share, bool grouped,
                       std::vector<Share>& out) const {
  const auto capacity = grouped ? counts_.groups(depth - 1) : counts_.nodes(depth - 1);
  const auto [first, last] = index.children(depth, share.domain);
  std::vector<Candidate> candidates;
  for (std::uint32_t child = first; child < last; ++child)
    if (capacity[child] > 0) candidates.push_back({capacity[child], DomainId(child)});
  std::ranges::sort(candidates);
  std::uint32_t left = share.amount;
  // The largest comes last and keeps what is over, in one piece.
  for (const Candidate& candidate : tight_set(candidates, share.amount)) {
    const std::uint32_t amount = std::min(left, candidate.capacity);
    out.push_back({candidate.domain, amount});
    left -= amount;
  }
  WEIR_ASSERT(left == 0);
}

std::optional<Slot> WeirPlacer::place_tail(const FreeCapacityIndex& index, const NodeQuery& query,
                                           std::size_t depth, DomainId domain) const {
  const CellSearch search(index, query);
  const auto [first, last] = index.cells_under(depth, domain);
  const auto allowed = counts_.tail_nodes(0);
  // The cells that the gang already uses come first.
  for (const bool in_use : {true, false}) {
    for (std::uint32_t gpus = query.demand.gpus; gpus <= index.max_gpus(); ++gpus) {
      DomainId last_cell = DomainId::none();
      if (in_use) {
        for (const Slot slot : chosen_) {
          const DomainId cell = index.cell_of(index.node_at(slot));
          if (cell == last_cell || allowed[cell.index()] == 0) continue;
          last_cell = cell;
          if (const auto found = search.first_with(cell, gpus, chosen_)) return found;
        }
      } else {
        for (std::uint32_t cell = first; cell < last; ++cell) {
          if (allowed[cell] == 0) continue;
          if (const auto found = search.first_with(DomainId(cell), gpus, chosen_)) return found;
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace weir::sched
