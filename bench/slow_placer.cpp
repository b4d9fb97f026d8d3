#include "slow_placer.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace weir::bench {
namespace {

// The bench's jobs ask for whole GPUs only.
Capacity held_by(const LeasePart& part) {
  return {static_cast<std::uint32_t>(std::popcount(part.gpus)), part.cpu_milli, part.memory_mib};
}

Capacity minus(const Capacity& a, const Capacity& b) {
  return {a.gpus - b.gpus, a.cpu_milli - b.cpu_milli, a.memory_mib - b.memory_mib};
}

Capacity plus(const Capacity& a, const Capacity& b) {
  return {a.gpus + b.gpus, a.cpu_milli + b.cpu_milli, a.memory_mib + b.memory_mib};
}

bool admits(const Job& job, const Node& node) {
  const Requirement& wanted = job.requirement;
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (!wanted.partition.empty() && !has(node.kind.partitions, wanted.partition)) return false;
  if (!wanted.gpu_models.empty() && !has(wanted.gpu_models, node.kind.gpu_model)) return false;
  for (const std::string& feature : wanted.features)
    if (!has(node.kind.features, feature)) return false;
  if (node.grade > wanted.worst_grade) return false;
  return job.gang.nodes == 1 || (node.rails & wanted.rails) == wanted.rails;
}

}  // namespace

SlowPlacer::SlowPlacer(const Cluster& cluster) : cluster_(cluster) {
  for (const Node& node : cluster.nodes)
    books_.push_back({node.kind.total, (GpuMask{1} << node.kind.total.gpus) - 1});
}

bool SlowPlacer::take(const Lease& lease) {
  bool right = true;
  for (const LeasePart& part : lease.parts) {
    Books& books = books_[part.node.index()];
    const Capacity held = held_by(part);
    if ((part.gpus & ~books.free_gpus) != 0 || !books.free.covers(held)) right = false;
    books.free_gpus &= ~part.gpus;
    books.free = minus(books.free, held);
  }
  std::vector<NodeId> nodes;
  for (const LeasePart& part : lease.parts) nodes.push_back(part.node);
  std::ranges::sort(nodes);
  return right && std::ranges::adjacent_find(nodes) == nodes.end();
}

void SlowPlacer::give_back(const Lease& lease) {
  for (const LeasePart& part : lease.parts) {
    Books& books = books_[part.node.index()];
    books.free_gpus |= part.gpus;
    books.free = plus(books.free, held_by(part));
  }
}

std::optional<Level> SlowPlacer::smallest_level(const Job& job) const {
  return smallest(job, /*idle=*/false);
}

std::optional<Level> SlowPlacer::smallest_level_when_idle(const Job& job) const {
  return smallest(job, /*idle=*/true);
}

std::optional<Level> SlowPlacer::smallest(const Job& job, bool idle) const {
  const std::vector<LevelTable>& levels = cluster_.locality.levels;
  std::vector<std::map<DomainId, std::uint32_t>> serving(levels.size());
  for (std::size_t i = 0; i < books_.size(); ++i) {
    const Node& node = cluster_.nodes[i];
    const Capacity& free = idle ? node.kind.total : books_[i].free;
    if (!free.covers(job.gang.per_node) || !admits(job, node)) continue;
    DomainId domain = node.cell;
    for (std::size_t depth = 0; depth < levels.size(); ++depth) {
      ++serving[depth][domain];
      domain = levels[depth].domains[domain.index()].parent;
    }
  }
  // A gang of several nodes needs the network of one fabric between them.
  Level widest = job.gang.nodes > 1 ? Level::kFabric : Level::kSite;
  if (job.wish.require) widest = std::min(widest, *job.wish.require);
  for (std::size_t depth = 0; depth < levels.size() && levels[depth].level <= widest; ++depth)
    for (const auto& [domain, nodes] : serving[depth])
      if (nodes >= job.gang.nodes) return levels[depth].level;
  return std::nullopt;
}

bool SlowPlacer::may_serve(const Job& job, const Lease& lease) const {
  return lease.parts.size() == job.gang.nodes &&
         std::ranges::all_of(lease.parts, [&](const LeasePart& part) {
           return held_by(part) == job.gang.per_node &&
                  admits(job, cluster_.nodes[part.node.index()]);
         });
}

}  // namespace weir::bench
