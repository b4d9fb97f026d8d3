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
std::uint32_t beyond(std::uint32_t from, std::uint32_t taken) {
  return from > taken ? from - taken : 0;
}

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

std::optional<Reservation> Reserver::reserve(const Pool& pool, const ReservationFor& gang_of,
                                             Placer& placer, Rng& rng, Instant now) {
  const Request& request = gang_of.request;
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
    for (const NodeId node : gang_of.avoid) later_.update(node, {});
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
    : pool_(pool), at_(reservation.at), now_(now), closes_(request.wish.exclusive.has_value()) {
  const FreeCapacityIndex& index = pool.free();
  std::vector<DomainId> closed;
  const std::size_t depth = request.wish.exclusive ? index.depth_of(*request.wish.exclusive) : 0;
  for (std::size_t i = 0; i < reservation.placement.nodes.size(); ++i) {
    const NodeId node = reservation.placement.nodes[i];
    const Capacity& asked = i < request.gang.nodes ? request.gang.per_node : request.gang.tail;
    if (request.wish.exclusive) closed.push_back(index.ancestor(index.cell_of(node), depth));
    nodes_.push_back({node, asked, {}, {}});
    if (!asked.asks_share()) continue;
    const pool::Room then = pool::room_at(pool.node(node), at_, now_);
    const auto usual = static_cast<std::uint8_t>(std::countr_zero(pool::usual_gpus(then, asked)));
    const std::uint8_t gpu = reservation.placement.gpu.value_or(usual);
    if (gpu != pool::kFreshGpu && (then.free_gpus >> gpu & 1U) == 0) nodes_.back().shared_gpu = gpu;
  }
  if (closes_) {
    std::ranges::sort(closed);
    closed.erase(std::ranges::unique(closed).begin(), closed.end());
    std::vector<NodeId> within;
    for (const DomainId domain : closed) index.nodes_under(depth, domain, within);
    nodes_.clear();
    for (const NodeId node : within) nodes_.push_back({node, {}, {}, {}});
  }
  for (Reserved& reserved : nodes_) reserved.spare = spare_of(reserved);
  std::ranges::sort(nodes_, {}, &Reserved::node);
}

pool::Room ReservedNodes::spare_of(const Reserved& reserved) const {
  if (closes_) return {};
  pool::Room spare = pool::room_at(pool_.node(reserved.node), at_, now_);
  const Capacity& asked = reserved.asked;
  spare.free.cpu_milli = beyond(spare.free.cpu_milli, asked.cpu_milli);
  spare.free.memory_mib = beyond(spare.free.memory_mib, asked.memory_mib);
  if (!reserved.shared_gpu) {
    // Which of the wholly free ones it will be is open: it is a matter of their count.
    spare.free.gpus = beyond(spare.free.gpus, asked.asks_share() ? 1 : asked.gpus);
    return spare;
  }
  for (pool::SharedGpu& one : spare.shared)
    if (one.gpu == *reserved.shared_gpu)
      one.left = static_cast<std::uint16_t>(beyond(one.left, asked.gpu_milli));
  return spare;
}

void ReservedNodes::raise() {
  if (raised_) return;
  raised_ = true;
  for (const Reserved& reserved : nodes_) pool_.limit_to(reserved.node, reserved.spare);
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
    found->spare = spare_of(*found);
  }
}

}  // namespace weir::sched
