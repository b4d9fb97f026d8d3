#include "pool/capacity_over_time.hpp"

#include <algorithm>
#include <queue>

namespace weir::pool {
namespace {

// REQUIRES: nothing of it is a share.
Capacity with(const Capacity& free, const Capacity& held) {
  return {free.gpus + held.gpus, free.cpu_milli + held.cpu_milli, free.memory_mib + held.memory_mib,
          0};
}

// covers_at() if that is earlier than `bound`, else far_future.
Instant covers_before(const NodeState& node, const Capacity& demand, Instant now, Instant bound) {
  if (node.free.covers(demand)) return now < bound ? now : Instant::far_future();
  // A node has few holdings: no sorted list of their ends is worth its allocation.
  Instant earliest = bound;
  for (const Holding& holding : node.holdings) {
    const Instant end = expected_end(holding.until, now);
    if (end < earliest && free_at(node, end, now).covers(demand)) earliest = end;
  }
  return earliest < bound ? earliest : Instant::far_future();
}

}  // namespace

Capacity free_at(const NodeState& node, Instant at, Instant now) {
  if (!node.shared.empty()) return room_at(node, at, now).free;
  Capacity free = node.free;
  for (const Holding& holding : node.holdings)
    if (expected_end(holding.until, now) <= at) free = with(free, holding.held);
  return free;
}

Room room_at(const NodeState& node, Instant at, Instant now) {
  Room room = static_cast<const Room&>(node);
  for (const Holding& holding : node.holdings)
    if (expected_end(holding.until, now) <= at) give_back(room, holding.gpus, holding.held);
  return room;
}

Instant covers_at(const NodeState& node, const Capacity& demand, Instant now) {
  return covers_before(node, demand, now, Instant::far_future());
}

template <typename Visit>
void CapacityOverTime::for_each_serving(std::size_t depth, std::span<const EligibleClass> classes,
                                        Visit visit) const {
  const FreeCapacityIndex& index = pool_.free();
  std::vector<bool> eligible(pool_.classes().classes(), false);
  for (const EligibleClass& one : classes) eligible[one.id.index()] = true;
  // Nodes mostly come cell by cell.
  DomainId cell = DomainId::none();
  DomainId domain;
  for (std::uint32_t i = 0; i < pool_.nodes(); ++i) {
    const NodeState& node = pool_.node(NodeId(i));
    if (node.availability != Availability::kUp || !eligible[node.node_class.index()]) continue;
    if (node.cell != cell) domain = index.ancestor(node.cell, depth);
    cell = node.cell;
    visit(node, domain);
  }
}

std::vector<std::vector<Instant>> CapacityOverTime::free_instants(
    std::size_t depth, const Capacity& demand, std::span<const EligibleClass> classes) const {
  std::vector<std::vector<Instant>> instants(pool_.free().domains(depth));
  for_each_serving(depth, classes, [&](const NodeState& node, DomainId domain) {
    const Instant at = covers_at(node, demand, now_);
    if (at != Instant::far_future()) instants[domain.index()].push_back(at);
  });
  for (std::vector<Instant>& of_domain : instants) std::ranges::sort(of_domain);
  return instants;
}

Instant CapacityOverTime::enough_at(std::size_t depth, const Capacity& demand,
                                    std::span<const EligibleClass> classes,
                                    std::uint32_t nodes) const {
  // Of each domain the earliest instants met so far, `nodes` at most, the latest of them on top.
  std::vector<std::priority_queue<Instant>> earliest(pool_.free().domains(depth));
  for_each_serving(depth, classes, [&](const NodeState& node, DomainId domain) {
    std::priority_queue<Instant>& of_domain = earliest[domain.index()];
    const bool enough = of_domain.size() == nodes;
    const Instant before = enough ? of_domain.top() : Instant::far_future();
    const Instant at = covers_before(node, demand, now_, before);
    if (at == Instant::far_future()) return;
    if (enough) of_domain.pop();
    of_domain.push(at);
  });
  Instant first = Instant::far_future();
  for (const std::priority_queue<Instant>& of_domain : earliest)
    if (of_domain.size() == nodes) first = std::min(first, of_domain.top());
  return first;
}

std::vector<Step> CapacityOverTime::steps(std::size_t depth, DomainId domain,
                                          const Capacity& demand,
                                          std::span<const EligibleClass> classes) const {
  std::vector<Step> result;
  std::uint32_t nodes = 0;
  const auto instants = free_instants(depth, demand, classes);
  for (const Instant at : instants[domain.index()]) {
    ++nodes;
    if (result.empty() || result.back().at != at) result.push_back({at, 0});
    result.back().nodes = nodes;
  }
  return result;
}

FreeCapacityIndex CapacityOverTime::index_at(Instant at) const {
  FreeCapacityIndex index;
  index_at(at, index);
  return index;
}

void CapacityOverTime::index_at(Instant at, FreeCapacityIndex& index) const {
  index = pool_.free();
  // Jobs with domains for themselves that are over by then open those.
  std::vector<std::uint32_t> reopened(pool_.nodes(), 0);
  for (const auto& [job, closed] : pool_.closed())
    if (expected_end(closed.until, now_) <= at)
      for (const NodeId node : closed.nodes) ++reopened[node.index()];
  const auto is_over = [&](const Holding& holding) {
    return expected_end(holding.until, now_) <= at;
  };
  for (std::uint32_t i = 0; i < pool_.nodes(); ++i) {
    const NodeState& node = pool_.node(NodeId(i));
    const bool changes = reopened[i] > 0 || node.limit.usable.has_value() ||
                         std::ranges::any_of(node.holdings, is_over);
    if (!changes) continue;
    const Room room = room_at(node, at, now_);
    index.update(
        NodeId(i),
        {room.free, node.availability == Availability::kUp && reopened[i] == node.closed_by,
         !std::ranges::all_of(node.holdings, is_over)},
        room.shared);
  }
}

Instant CapacityOverTime::next_end(Instant at) const {
  Instant next = Instant::far_future();
  for (std::uint32_t i = 0; i < pool_.nodes(); ++i)
    for (const Holding& holding : pool_.node(NodeId(i)).holdings)
      if (const Instant end = expected_end(holding.until, now_); end > at)
        next = std::min(next, end);
  return next;
}

}  // namespace weir::pool
