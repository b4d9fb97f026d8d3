#include "property/slow_reserve.hpp"

#include <algorithm>
#include <bit>

#include "property/slow_placement.hpp"

namespace weir::slow {
namespace {

std::uint32_t less(std::uint32_t from, std::uint32_t taken) {
  return from > taken ? from - taken : 0;
}

Capacity less(const Capacity& from, const Capacity& taken) {
  return {less(from.gpus, taken.gpus), less(from.cpus, taken.cpus),
          less(from.memory_mib, taken.memory_mib)};
}

}  // namespace

Reserve::Reserve(const Cluster& cluster, const Ask& head, const std::string& placement,
                 Instant promise, Instant now) {
  if (promise == Instant::far_future() || placement == "random") return;
  known_ = true;
  const Fit then(world_at(cluster, promise, now), head);
  const Choice choice = placement == "weir" ? choose_weir(then) : choose_first_fit(then);
  for (std::size_t i = 0; i < choice->size(); ++i) {
    const NodeId node = (*choice)[i];
    const Capacity& asked = i < head.gang.nodes ? head.gang.per_node : head.gang.tail;
    spare_[node] = less(then.world().nodes[node.index()].free, asked);
    if (!head.wish.exclusive) continue;
    const std::size_t depth = *depth_of(cluster.locality, *head.wish.exclusive);
    for (std::uint32_t other = 0; other < cluster.nodes.size(); ++other)
      if (domain_at(cluster, NodeId(other), depth) == domain_at(cluster, node, depth))
        spare_[NodeId(other)] = Capacity{};
  }
  if (head.wish.exclusive)
    for (auto& [node, spare] : spare_) spare = Capacity{};
}

Cluster Reserve::seen_beside(const Cluster& cluster) const {
  Cluster seen = cluster;
  seen.limits = spare_;
  return seen;
}

void Reserve::take(const Lease& lease) {
  for (const LeasePart& part : lease.parts) {
    const auto found = spare_.find(part.node);
    if (found == spare_.end()) continue;
    const auto gpus = static_cast<std::uint32_t>(std::popcount(part.gpus));
    found->second = less(found->second, {gpus, part.cpus, part.memory_mib});
  }
}

}  // namespace weir::slow
