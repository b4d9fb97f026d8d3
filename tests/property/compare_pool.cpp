#include "property/compare_pool.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

namespace weir::property {
namespace {

using pool::ClassId;
using pool::ClassTable;
using pool::FreeCapacityIndex;
using pool::NodeState;
using pool::Pool;
using pool::Slot;
using slow::Cluster;
using slow::Standing;
using slow::World;

std::unexpected<Error> differs(std::string_view what, std::uint64_t pool, std::uint64_t recount) {
  return corrupt(fmt::format("{}: the pool says {}, a recount {}", what, pool, recount));
}

std::uint32_t closed_by(const Cluster& cluster, NodeId node) {
  std::uint32_t jobs = 0;
  for (const auto& [job, lease] : cluster.leases) {
    if (!lease.exclusive) continue;
    const std::size_t depth = *slow::depth_of(cluster.locality, *lease.exclusive);
    jobs += std::ranges::any_of(lease.parts, [&](const LeasePart& part) {
      return domain_at(cluster, part.node, depth) == domain_at(cluster, node, depth);
    });
  }
  return jobs;
}

// Each holding is one part of one lease; those of the node are all there.
Status compare_holdings(const NodeState& node, NodeId id, const Cluster& cluster) {
  std::size_t parts = 0;
  for (const auto& [job, lease] : cluster.leases) {
    for (const LeasePart& part : lease.parts) {
      if (part.node != id) continue;
      ++parts;
      const auto count = std::ranges::count_if(node.holdings, [&](const pool::Holding& holding) {
        return holding.job == job && holding.gpus == part.gpus && holding.until == lease.until &&
               holding.held.cpu_milli == part.cpu_milli &&
               holding.held.gpu_milli == part.gpu_milli &&
               holding.held.memory_mib == part.memory_mib;
      });
      if (count != 1)
        return corrupt(
            fmt::format("node {} lists job {} {} times", id.value(), job.value(), count));
    }
  }
  if (node.holdings.size() != parts)
    return differs(fmt::format("holdings of node {}", id.value()), node.holdings.size(), parts);
  return {};
}

bool same_shared(const pool::Room& room, const Standing& node) {
  std::map<std::uint32_t, std::uint32_t> shared;
  for (const pool::SharedGpu& one : room.shared) shared[one.gpu] = one.left;
  return shared == node.shared;
}

Status compare_nodes(const Pool& pool, const Cluster& cluster, const World& now) {
  if (pool.nodes() != cluster.nodes.size())
    return differs("nodes", pool.nodes(), cluster.nodes.size());
  for (std::uint32_t i = 0; i < pool.nodes(); ++i) {
    const NodeState& node = pool.node(NodeId(i));
    const Node& plain = cluster.nodes[i];
    const pool::NodeClass& its_class = pool.classes().node_class(node.node_class);
    if (node.name != plain.name || node.cell != plain.cell ||
        node.availability != plain.availability || its_class.grade != plain.grade ||
        its_class.rails != plain.rails || pool.classes().kind(its_class.kind) != plain.kind)
      return corrupt(fmt::format("node {} is not what joined", i));
    if (node.free_gpus != now.nodes[i].free_gpus)
      return differs(fmt::format("free GPUs of node {}", i), node.free_gpus,
                     now.nodes[i].free_gpus);
    if (!cluster.limits.contains(NodeId(i)) && !same_shared(node, now.nodes[i]))
      return corrupt(fmt::format("what is left of the shared GPUs of node {} is wrong", i));
    if (!cluster.limits.contains(NodeId(i)) && node.free != now.nodes[i].free)
      return differs(fmt::format("free CPUs of node {}", i), node.free.cpu_milli,
                     now.nodes[i].free.cpu_milli);
    if (node.closed_by != closed_by(cluster, NodeId(i)))
      return differs(fmt::format("jobs that close node {}", i), node.closed_by,
                     closed_by(cluster, NodeId(i)));
    WEIR_TRY(compare_holdings(node, NodeId(i), cluster));
  }
  return {};
}

Status compare_ledger(const Pool& pool, const Cluster& cluster) {
  pool::Ledger sum;
  for (const Node& node : cluster.nodes) sum.gpus += node.kind.total.gpus;
  for (const auto& [job, lease] : cluster.leases) {
    ++sum.leases;
    sum.lease_parts += lease.parts.size();
    for (const LeasePart& part : lease.parts)
      sum.leased_milli += part.gpu_milli > 0
                              ? part.gpu_milli
                              : 1000 * static_cast<std::uint64_t>(std::popcount(part.gpus));
  }
  if (pool.ledger() == sum) return {};
  return differs("thousandths of GPUs in the ledger", pool.ledger().leased_milli, sum.leased_milli);
}

// The node has less than its share of CPUs or memory left for the GPUs it has free.
bool lacks_its_share(const Capacity& free, const Capacity& total) {
  const std::uint64_t gpus = free.gpus;
  return gpus * total.cpu_milli > std::uint64_t{free.cpu_milli} * total.gpus ||
         gpus * total.memory_mib > std::uint64_t{free.memory_mib} * total.gpus;
}

std::size_t class_of(const ClassTable& classes, const Node& node) {
  for (std::uint32_t c = 0; c < classes.classes(); ++c) {
    const pool::NodeClass& its_class = classes.node_class(ClassId(c));
    if (its_class.grade == node.grade && its_class.rails == node.rails &&
        classes.kind(its_class.kind) == node.kind)
      return c;
  }
  return classes.classes();
}

struct Recount {
  std::map<std::size_t, std::vector<std::uint32_t>> counts;  // [class] -> [k][domain]
  std::vector<std::uint32_t> busy;                           // [domain]
  std::vector<std::uint32_t> lean;                           // [k][domain]
};

Recount recount_level(const ClassTable& classes, const World& world, std::size_t depth,
                      std::size_t domains, std::uint32_t max_gpus) {
  Recount result;
  result.busy.resize(domains);
  result.lean.resize(domains * (max_gpus + 1));
  for (std::size_t c = 0; c < classes.classes(); ++c)
    result.counts[c].resize(domains * (max_gpus + 1));
  for (std::uint32_t i = 0; i < world.nodes.size(); ++i) {
    const Standing& node = world.nodes[i];
    const Node& plain = world.cluster->nodes[i];
    const std::size_t domain = domain_at(*world.cluster, NodeId(i), depth).index();
    if (node.busy) ++result.busy[domain];
    if (!node.offered) continue;
    const bool lean = lacks_its_share(node.free, plain.kind.total);
    std::vector<std::uint32_t>& counts = result.counts[class_of(classes, plain)];
    for (std::size_t k = 0; k <= node.free.gpus; ++k) {
      ++counts[k * domains + domain];
      if (lean) ++result.lean[k * domains + domain];
    }
  }
  return result;
}

Status compare_counts(const FreeCapacityIndex& index, const ClassTable& classes, const World& world,
                      std::string_view which) {
  for (std::size_t depth = 0; depth < index.levels(); ++depth) {
    const std::size_t domains = index.domains(depth);
    const Recount recount = recount_level(classes, world, depth, domains, index.max_gpus());
    for (std::uint32_t d = 0; d < domains; ++d) {
      const std::string at = fmt::format("{} index, {} {}", which, to_text(index.level(depth)), d);
      if (index.busy_nodes(depth, DomainId(d)) != recount.busy[d])
        return differs(at + ", busy", index.busy_nodes(depth, DomainId(d)), recount.busy[d]);
      for (std::uint32_t k = 0; k <= index.max_gpus(); ++k)
        if (index.lean_counts(depth, k)[d] != recount.lean[k * domains + d])
          return differs(fmt::format("{}, lean, {} GPUs", at, k), index.lean_counts(depth, k)[d],
                         recount.lean[k * domains + d]);
      for (std::uint32_t c = 0; c < classes.classes(); ++c)
        for (std::uint32_t k = 0; k <= index.max_gpus(); ++k)
          if (index.counts(depth, ClassId(c), k)[d] != recount.counts.at(c)[k * domains + d])
            return differs(fmt::format("{}, class {}, {} GPUs", at, c, k),
                           index.counts(depth, ClassId(c), k)[d],
                           recount.counts.at(c)[k * domains + d]);
    }
  }
  return {};
}

Status compare_bits(const FreeCapacityIndex& index, const ClassTable& classes, const World& world,
                    std::string_view which) {
  for (std::uint32_t i = 0; i < world.nodes.size(); ++i) {
    const Standing& node = world.nodes[i];
    const Node& plain = world.cluster->nodes[i];
    const Slot slot = index.slot_of(NodeId(i));
    const std::uint32_t word = slot.value() / 64;
    const auto bit = [&](std::uint64_t bits) { return ((bits >> (slot.value() % 64)) & 1U) != 0; };
    const std::string at = fmt::format("{} index, bit of node {}", which, i);
    if (index.node_at(slot) != NodeId(i) || index.cell_of(NodeId(i)) != plain.cell)
      return corrupt(at + ": it stands in another slot");
    if (index.free_at(slot) != node.free)
      return differs(at + ", free GPUs", index.free_at(slot).gpus, node.free.gpus);
    for (std::uint32_t k = 0; k <= index.max_gpus() + 1; ++k)
      if (bit(index.free_word(k, word)) != (node.offered && node.free.gpus >= k))
        return corrupt(fmt::format("{}: wrong for {} GPUs", at, k));
    for (std::uint32_t c = 0; c < classes.classes(); ++c)
      if (bit(index.class_word(ClassId(c), word)) != (c == class_of(classes, plain)))
        return corrupt(fmt::format("{}: wrong for class {}", at, c));
    if (bit(index.lean_word(word)) !=
        (node.offered && lacks_its_share(node.free, plain.kind.total)))
      return corrupt(at + ": wrongly lean or not lean");
    if (bit(index.shared_word(word)) != (node.offered && node.free.gpu_milli > 0))
      return corrupt(at + ": wrongly shared or not shared");
    for (std::uint32_t gpu = 0; gpu < index.max_gpus(); ++gpu) {
      const auto shared = node.shared.find(gpu);
      const std::uint32_t left = shared == node.shared.end() ? 0 : shared->second;
      if (index.shared_left(slot)[gpu] != left)
        return differs(fmt::format("{}, left of GPU {}", at, gpu), index.shared_left(slot)[gpu],
                       left);
    }
  }
  return {};
}

Status compare_index(const FreeCapacityIndex& index, const ClassTable& classes, const World& world,
                     std::string_view which) {
  WEIR_TRY(compare_counts(index, classes, world, which));
  return compare_bits(index, classes, world, which);
}

}  // namespace

Status compare_pool(const Pool& pool, const Cluster& cluster) {
  const World now = world_now(cluster);
  WEIR_TRY(compare_nodes(pool, cluster, now));
  WEIR_TRY(compare_ledger(pool, cluster));
  WEIR_TRY(compare_index(pool.free(), pool.classes(), now, "free"));
  WEIR_TRY(compare_index(pool.idle(), pool.classes(), world_idle(cluster, true), "idle"));
  return pool.audit();
}

}  // namespace weir::property
