#include "property/slow_reserve.hpp"

#include <algorithm>

#include "property/slow_placement.hpp"

namespace weir::slow {
namespace {

std::uint32_t less(std::uint32_t from, std::uint32_t taken) {
  return from > taken ? from - taken : 0;
}

void less(Spare& spare, const Capacity& taken) {
  spare.free.cpu_milli = less(spare.free.cpu_milli, taken.cpu_milli);
  spare.free.memory_mib = less(spare.free.memory_mib, taken.memory_mib);
}

// What a node has at the promise beyond what is kept for the first in line. Which of the wholly
// free GPUs it will get is open; of a shared one it will get the share on that one.
Spare beside(const Standing& then, const Capacity& asked) {
  Spare spare{then.free, then.free_gpus, then.shared};
  less(spare, asked);
  spare.free.gpus = less(spare.free.gpus, asked.gpus);
  if (asked.gpu_milli == 0) return spare;
  const auto shared = spare.shared.find(usual_gpu(then, asked.gpu_milli));
  if (shared == spare.shared.end())
    spare.free.gpus = less(spare.free.gpus, 1);
  else
    shared->second = less(shared->second, asked.gpu_milli);
  return spare;
}

void take_gpu(Spare& spare, std::uint32_t gpu, std::uint32_t milli) {
  if (((spare.whole >> gpu) & 1U) != 0) {
    spare.whole &= ~(GpuMask{1} << gpu);
    spare.free.gpus = less(spare.free.gpus, 1);
    if (milli > 0) spare.shared[gpu] = 1000 - milli;
  } else if (milli > 0) {
    spare.shared[gpu] = less(spare.shared[gpu], milli);
  }
}

}  // namespace

Reserve::Reserve(const Cluster& cluster, const Ask& head, const std::string& placement,
                 Instant promise, Instant now) {
  if (promise == Instant::far_future() || (placement != "weir" && placement != "firstfit")) return;
  known_ = true;
  const Fit then(world_at(cluster, promise, now), head);
  const Choice choice = placement == "weir" ? choose_weir(then) : choose_first_fit(then);
  for (std::size_t i = 0; i < choice->size(); ++i) {
    const NodeId node = (*choice)[i];
    const Capacity& asked = i < head.gang.nodes ? head.gang.per_node : head.gang.tail;
    spare_[node] = beside(then.world().nodes[node.index()], asked);
    if (!head.wish.exclusive) continue;
    const std::size_t depth = *depth_of(cluster.locality, *head.wish.exclusive);
    for (std::uint32_t other = 0; other < cluster.nodes.size(); ++other)
      if (domain_at(cluster, NodeId(other), depth) == domain_at(cluster, node, depth))
        spare_[NodeId(other)] = Spare{};
  }
  if (head.wish.exclusive)
    for (auto& [node, spare] : spare_) spare = Spare{};
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
    less(found->second, {0, part.cpu_milli, part.memory_mib});
    for (std::uint32_t gpu = 0; gpu < 32; ++gpu)
      if (((part.gpus >> gpu) & 1U) != 0) take_gpu(found->second, gpu, part.gpu_milli);
  }
}

}  // namespace weir::slow
