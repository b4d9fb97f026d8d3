#include "pool/capacity_over_time.hpp"

#include <algorithm>

namespace weir::pool {

Capacity free_at(const NodeState& node, Instant at, Instant now) {
  Capacity free = node.free;
  for (const Holding& holding : node.holdings)
    if (expected_end(holding.until, now) <= at) free = free + holding.held;
  return free;
}

Instant covers_at(const NodeState& node, const Capacity& demand, Instant now) {
  if (node.free.covers(demand)) return now;
  std::vector<const Holding*> by_end;
  by_end.reserve(node.holdings.size());
  for (const Holding& holding : node.holdings) by_end.push_back(&holding);
  std::ranges::sort(by_end, {}, [](const Holding* holding) { return holding->until; });
  Capacity free = node.free;
  for (const Holding* holding : by_end) {
    free = free + holding->held;
    if (free.covers(demand)) return expected_end(holding->until, now);
  }
  return Instant::far_future();
}

std::vector<std::vector<Instant>> CapacityOverTime::free_instants(
    std::size_t depth, const Capacity& demand, std::span<const EligibleClass> classes) const {
  const FreeCapacityIndex& index = pool_.free();
  std::vector<std::vector<Instant>> instants(index.domains(depth));
  std::vector<bool> eligible(pool_.classes().classes(), false);
  for (const EligibleClass& one : classes) eligible[one.id.index()] = true;
  for (std::uint32_t i = 0; i < pool_.nodes(); ++i) {
    const NodeState& node = pool_.node(NodeId(i));
    if (node.availability != Availability::kUp || !eligible[node.node_class.index()]) continue;
    const Instant at = covers_at(node, demand, now_);
    if (at == Instant::far_future()) continue;
    instants[index.ancestor(node.cell, depth).index()].push_back(at);
  }
  for (std::vector<Instant>& of_domain : instants) std::ranges::sort(of_domain);
  return instants;
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
  FreeCapacityIndex index = pool_.free();
  // Jobs with domains for themselves that are still there then keep those closed.
  std::vector<std::uint32_t> still_closed(pool_.nodes(), 0);
  for (std::uint32_t i = 0; i < pool_.nodes(); ++i)
    still_closed[i] = pool_.node(NodeId(i)).closed_by;
  for (const auto& [job, closed] : pool_.closed())
    if (expected_end(closed.until, now_) <= at)
      for (const NodeId node : closed.nodes) --still_closed[node.index()];
  for (std::uint32_t i = 0; i < pool_.nodes(); ++i) {
    const NodeState& node = pool_.node(NodeId(i));
    const bool busy = std::ranges::any_of(node.holdings, [&](const Holding& holding) {
      return expected_end(holding.until, now_) > at;
    });
    index.update(NodeId(i), {free_at(node, at, now_),
                             node.availability == Availability::kUp && still_closed[i] == 0, busy});
  }
  return index;
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
