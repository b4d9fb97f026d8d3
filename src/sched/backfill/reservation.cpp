#include "sched/backfill/reservation.hpp"

#include <algorithm>
#include <bit>

#include "base/assert.hpp"
#include "pool/capacity_over_time.hpp"

namespace weir::sched {
namespace {

using pool::CapacityOverTime;
using pool::FreeCapacityIndex;
using pool::Pool;

// What `from` has beyond `taken`, never below zero.
Capacity beyond(const Capacity& from, const Capacity& taken) { return from - lesser(from, taken); }

// The expected ends from `from` on, ascending, each once; `from` itself comes first.
std::vector<Instant> ends_from(const Pool& pool, Instant from, Instant now) {
  std::vector<Instant> ends{from};
  for (std::uint32_t i = 0; i < pool.nodes(); ++i)
    for (const pool::Holding& holding : pool.node(NodeId(i)).holdings)
      if (const Instant end = pool::expected_end(holding.until, now); end > from)
        ends.push_back(end);
  std::ranges::sort(ends);
  ends.erase(std::ranges::unique(ends).begin(), ends.end());
  return ends;
}

}  // namespace

std::optional<Reservation> Reserver::reserve(const Pool& pool, const Request& request,
                                             Placer& placer, Rng& rng, Instant now) {
  if (request.whole.classes.empty() || !counts_.compute(pool.free(), request)) return std::nullopt;
  const Gang& gang = request.gang;
  const std::size_t depth = counts_.depths().widest;
  const CapacityOverTime future(pool, now);
  // Whatever else the gang wants of its nodes, it cannot start before there are enough.
  Instant at = future.enough_at(depth, request.whole.demand, request.whole.classes, gang.nodes);
  if (gang.has_tail())
    at = std::max(
        at, future.enough_at(depth, request.tail.demand, request.tail.classes, gang.node_count()));
  if (at == Instant::far_future()) return std::nullopt;

  const auto try_at = [&](Instant instant) -> std::optional<Reservation> {
    future.index_at(instant, later_);
    auto placement = placer.place(later_, request, rng);
    if (!placement) return std::nullopt;
    return Reservation{instant, std::move(*placement)};
  };
  if (auto found = try_at(at)) return found;
  // Segments and exclusive domains may need more than a count of nodes. Leases only end, so what
  // fits at one instant fits at all later ones.
  const std::vector<Instant> ends = ends_from(pool, at, now);
  std::optional<Reservation> best = try_at(ends.back());
  std::size_t low = 0;
  std::size_t high = ends.size() - 1;
  while (best && high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    if (auto found = try_at(ends[middle])) {
      best = std::move(found);
      high = middle;
    } else {
      low = middle;
    }
  }
  return best;
}

ReservedNodes::ReservedNodes(Pool& pool, const Request& request, const Reservation& reservation,
                             Instant now)
    : pool_(pool) {
  const FreeCapacityIndex& index = pool.free();
  std::vector<DomainId> closed;
  const std::size_t depth = request.wish.exclusive ? index.depth_of(*request.wish.exclusive) : 0;
  for (std::size_t i = 0; i < reservation.placement.nodes.size(); ++i) {
    const NodeId node = reservation.placement.nodes[i];
    const Capacity& asked = i < request.gang.nodes ? request.gang.per_node : request.gang.tail;
    nodes_.push_back({node, beyond(pool::free_at(pool.node(node), reservation.at, now), asked)});
    if (request.wish.exclusive) closed.push_back(index.ancestor(index.cell_of(node), depth));
  }
  if (request.wish.exclusive) {
    std::ranges::sort(closed);
    closed.erase(std::ranges::unique(closed).begin(), closed.end());
    std::vector<NodeId> within;
    for (const DomainId domain : closed) index.nodes_under(depth, domain, within);
    nodes_.clear();
    for (const NodeId node : within) nodes_.push_back({node, Capacity{}});
  }
  std::ranges::sort(nodes_, {}, &Reserved::node);
}

void ReservedNodes::raise() {
  if (raised_) return;
  raised_ = true;
  for (const Reserved& reserved : nodes_) pool_.limit(reserved.node, reserved.spare);
}

void ReservedNodes::lower() {
  if (!raised_) return;
  raised_ = false;
  for (const Reserved& reserved : nodes_) pool_.lift_limit(reserved.node);
}

void ReservedNodes::take(const Lease& lease) {
  WEIR_ASSERT(!raised_);
  for (const LeasePart& part : lease.parts) {
    const auto found = std::ranges::lower_bound(nodes_, part.node, {}, &Reserved::node);
    if (found == nodes_.end() || found->node != part.node) continue;
    const Capacity taken{static_cast<std::uint32_t>(std::popcount(part.gpus)), part.cpus,
                         part.memory_mib};
    found->spare = beyond(found->spare, taken);
  }
}

}  // namespace weir::sched
