#include "property/slow_cluster.hpp"

#include <algorithm>

namespace weir::slow {
namespace {

std::uint32_t bits_of(GpuMask mask) {
  std::uint32_t count = 0;
  for (std::uint32_t bit = 0; bit < 32; ++bit)
    if ((mask >> bit) & 1U) ++count;
  return count;
}

GpuMask first_gpus(std::uint32_t count) {
  GpuMask mask = 0;
  for (std::uint32_t bit = 0; bit < count; ++bit) mask |= GpuMask{1} << bit;
  return mask;
}

void take_part(const LeasePart& part, Standing& node) {
  node.busy = true;
  node.free_gpus &= ~part.gpus;
  node.free.gpus -= bits_of(part.gpus);
  node.free.cpus -= part.cpus;
  node.free.memory_mib -= part.memory_mib;
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
    world.nodes.push_back({node.kind.total, first_gpus(node.kind.total.gpus),
                           node.availability == Availability::kUp, false});
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
  for (const auto& [node, usable] : cluster.limits) {
    Capacity& free = world.nodes[node.index()].free;
    free = {std::min(free.gpus, usable.gpus), std::min(free.cpus, usable.cpus),
            std::min(free.memory_mib, usable.memory_mib)};
  }
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

bool enough(const Capacity& free, const Capacity& demand) {
  return free.gpus >= demand.gpus && free.cpus >= demand.cpus &&
         free.memory_mib >= demand.memory_mib;
}

}  // namespace weir::slow
