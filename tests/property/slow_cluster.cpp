#include "property/slow_cluster.hpp"

#include <algorithm>

namespace weir::slow {
namespace {

GpuMask first_gpus(std::uint32_t count) {
  GpuMask mask = 0;
  for (std::uint32_t bit = 0; bit < count; ++bit) mask |= GpuMask{1} << bit;
  return mask;
}

void note_most_left(Standing& node) {
  node.free.gpu_milli = 0;
  for (const auto& [gpu, left] : node.shared)
    node.free.gpu_milli = std::max(node.free.gpu_milli, left);
}

void take_part(const LeasePart& part, Standing& node) {
  node.busy = true;
  node.free.cpu_milli -= part.cpu_milli;
  node.free.memory_mib -= part.memory_mib;
  for (std::uint32_t gpu = 0; gpu < 32; ++gpu) {
    if (((part.gpus >> gpu) & 1U) == 0) continue;
    if (((node.free_gpus >> gpu) & 1U) != 0) {
      node.free_gpus &= ~(GpuMask{1} << gpu);
      --node.free.gpus;
      if (part.gpu_milli > 0) node.shared[gpu] = 1000;
    }
    if (part.gpu_milli > 0) node.shared[gpu] -= part.gpu_milli;
  }
  note_most_left(node);
}

void lower(Standing& node, const Spare& spare) {
  node.free.gpus = std::min(node.free.gpus, spare.free.gpus);
  node.free.cpu_milli = std::min(node.free.cpu_milli, spare.free.cpu_milli);
  node.free.memory_mib = std::min(node.free.memory_mib, spare.free.memory_mib);
  for (auto& [gpu, left] : node.shared) {
    if (((spare.whole >> gpu) & 1U) != 0) {
      if (spare.free.gpus == 0) left = 0;
    } else {
      const auto then = spare.shared.find(gpu);
      left = then == spare.shared.end() ? 0 : std::min(left, then->second);
    }
  }
  note_most_left(node);
}

// Nothing else starts in the domains that the lease touches.
void close(const Cluster& cluster, const Lease& lease, World& world) {
  const std::optional<std::size_t> depth = depth_of(cluster.locality, *lease.exclusive);
  for (std::uint32_t i = 0; i < world.nodes.size(); ++i)
    for (const LeasePart& part : lease.parts)
      if (domain_at(cluster, NodeId(i), *depth) == domain_at(cluster, part.node, *depth))
        world.nodes[i].offered = false;
}

World world_with(const Cluster& cluster, const std::vector<const Lease*>& leases) {
  World world{&cluster, {}, false};
  for (const Node& node : cluster.nodes)
    world.nodes.push_back({node.kind.total,
                           first_gpus(node.kind.total.gpus),
                           {},
                           node.availability == Availability::kUp,
                           false});
  for (const Lease* lease : leases) {
    for (const LeasePart& part : lease->parts) take_part(part, world.nodes[part.node.index()]);
    if (lease->exclusive) close(cluster, *lease, world);
  }
  return world;
}

}  // namespace

std::optional<std::size_t> depth_of(const Locality& locality, Level level) {
  for (std::size_t depth = 0; depth < locality.levels.size(); ++depth)
    if (locality.levels[depth].level == level) return depth;
  return std::nullopt;
}

DomainId domain_at(const Cluster& cluster, NodeId node, std::size_t depth) {
  DomainId domain = cluster.nodes[node.index()].cell;
  for (std::size_t d = 0; d < depth; ++d)
    domain = cluster.locality.levels[d].domains[domain.index()].parent;
  return domain;
}

World world_now(const Cluster& cluster) {
  std::vector<const Lease*> leases;
  for (const auto& [job, lease] : cluster.leases) leases.push_back(&lease);
  World world = world_with(cluster, leases);
  for (const auto& [node, spare] : cluster.limits) lower(world.nodes[node.index()], spare);
  return world;
}

World world_at(const Cluster& cluster, Instant then, Instant now) {
  std::vector<const Lease*> leases;
  for (const auto& [job, lease] : cluster.leases)
    if (expected_end(lease, now) > then) leases.push_back(&lease);
  return world_with(cluster, leases);
}

World world_idle(const Cluster& cluster, bool any_grade) {
  World world = world_with(cluster, {});
  for (Standing& node : world.nodes) node.offered = true;
  world.any_grade = any_grade;
  return world;
}

Instant expected_end(const Lease& lease, Instant now) {
  return lease.until > now ? lease.until : Instant(now.microseconds() + 1);
}

std::uint32_t usual_gpu(const Standing& node, std::uint32_t milli) {
  std::uint32_t best = 32;
  for (const auto& [gpu, left] : node.shared)
    if (left >= milli && (best == 32 || left < node.shared.at(best))) best = gpu;
  for (std::uint32_t gpu = 0; best == 32 && gpu < 32; ++gpu)
    if (((node.free_gpus >> gpu) & 1U) != 0) return gpu;
  return best;
}

bool enough(const Capacity& free, const Capacity& demand) {
  if (free.cpu_milli < demand.cpu_milli || free.memory_mib < demand.memory_mib) return false;
  if (demand.gpu_milli > 0) return free.gpus > 0 || free.gpu_milli >= demand.gpu_milli;
  return free.gpus >= demand.gpus;
}

}  // namespace weir::slow
