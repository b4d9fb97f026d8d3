// What every choice of nodes and every lease must obey (slow_placement.hpp).
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "property/slow_placement.hpp"

namespace weir::slow {
namespace {

using Nodes = std::vector<NodeId>;

const Capacity& asked_of(const Gang& gang, std::size_t part) {
  return part < gang.nodes ? gang.per_node : gang.tail;
}

// All in one domain of this position of the tree.
bool together(const Fit& fit, std::span<const NodeId> nodes, std::size_t depth) {
  return std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
    return domain_at(fit.cluster(), node, depth) == domain_at(fit.cluster(), nodes.front(), depth);
  });
}

Status check_order(const Fit& fit, std::span<const NodeId> whole) {
  for (std::size_t i = 1; i < whole.size(); ++i) {
    const DomainId before = domain_at(fit.cluster(), whole[i - 1], 0);
    const DomainId here = domain_at(fit.cluster(), whole[i], 0);
    if (here < before || (here == before && whole[i] <= whole[i - 1]))
      return corrupt(fmt::format("rank {} lies before rank {} on the tree", i, i - 1));
  }
  return {};
}

Status check_segments(const Fit& fit, std::span<const NodeId> whole) {
  const std::uint32_t segment = fit.ask().wish.segment_nodes;
  if (segment == 0) return {};
  for (std::size_t first = 0; first < whole.size(); first += segment)
    if (!together(fit, whole.subspan(first, segment), fit.segment_depth()))
      return corrupt(fmt::format("the segment from rank {} on lies in several domains", first));
  return {};
}

GpuMask lowest_bits(GpuMask free, std::uint32_t count) {
  GpuMask taken = 0;
  for (std::uint32_t bit = 0; bit < 32 && count > 0; ++bit) {
    if (((free >> bit) & 1U) == 0) continue;
    taken |= GpuMask{1} << bit;
    --count;
  }
  return taken;
}

// Exactly one GPU, that has the share left.
Status check_share(const Standing& node, const LeasePart& part, std::uint32_t milli) {
  if (part.gpu_milli != milli) return corrupt("the share is not what was asked");
  for (std::uint32_t gpu = 0; gpu < 32; ++gpu) {
    if (part.gpus != GpuMask{1} << gpu) continue;
    const auto shared = node.shared.find(gpu);
    const bool whole = ((node.free_gpus >> gpu) & 1U) != 0 && node.free.gpus > 0;
    if (whole || (shared != node.shared.end() && shared->second >= milli)) return {};
    return corrupt(fmt::format("node {}: GPU {} has no room for {} thousandths", part.node.value(),
                               gpu, milli));
  }
  return corrupt(fmt::format("node {}: mask 0x{:x} for a share", part.node.value(), part.gpus));
}

Status check_part(const Fit& fit, const LeasePart& part, const Capacity& asked) {
  const Standing& node = fit.world().nodes[part.node.index()];
  if (asked.gpu_milli > 0) {
    WEIR_TRY(check_share(node, part, asked.gpu_milli));
  } else if ((part.gpus & ~node.free_gpus) != 0) {
    return corrupt(fmt::format("node {}: a GPU of mask 0x{:x} is taken, 0x{:x} are free",
                               part.node.value(), part.gpus, node.free_gpus));
  } else if (part.gpus != lowest_bits(node.free_gpus, asked.gpus) || part.gpu_milli != 0) {
    return corrupt(fmt::format("node {}: mask 0x{:x} is not the {} lowest of 0x{:x}",
                               part.node.value(), part.gpus, asked.gpus, node.free_gpus));
  }
  if (part.cpu_milli != asked.cpu_milli || part.memory_mib != asked.memory_mib)
    return corrupt(
        fmt::format("node {}: CPUs or memory are not what was asked", part.node.value()));
  return {};
}

}  // namespace

Status check_nodes(const Fit& fit, const Nodes& nodes) {
  const Gang& gang = fit.ask().gang;
  if (nodes.size() != gang.node_count())
    return corrupt(fmt::format("{} nodes for a gang of {}", nodes.size(), gang.node_count()));
  if (const auto level = fit.missing_level())
    return corrupt(fmt::format("the tree has no {} and the wish names it", to_text(*level)));
  Nodes sorted = nodes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return corrupt("a node serves twice");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].index() >= fit.world().nodes.size()) return corrupt("an unknown node");
    if (!fit.serves(nodes[i], asked_of(gang, i)))
      return corrupt(fmt::format("node {} cannot serve rank {}", nodes[i].value(), i));
  }
  if (!together(fit, nodes, fit.widest()))
    return corrupt(fmt::format("the gang leaves its {}",
                               to_text(fit.cluster().locality.levels[fit.widest()].level)));
  const std::span<const NodeId> whole = std::span(nodes).first(gang.nodes);
  WEIR_TRY(check_segments(fit, whole));
  return check_order(fit, whole);
}

Status check_usual_gpu(const Fit& fit, const Lease& lease) {
  const std::uint32_t milli = fit.ask().gang.per_node.gpu_milli;
  if (milli == 0) return {};
  const LeasePart& part = lease.parts.front();
  const std::uint32_t usual = usual_gpu(fit.world().nodes[part.node.index()], milli);
  if (part.gpus == GpuMask{1} << usual) return {};
  return corrupt(fmt::format("node {}: mask 0x{:x} for a share, the usual GPU is {}",
                             part.node.value(), part.gpus, usual));
}

Level spanned_level(const Cluster& cluster, const Nodes& nodes) {
  for (std::size_t depth = 0; depth < cluster.locality.levels.size(); ++depth)
    if (std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
          return domain_at(cluster, node, depth) == domain_at(cluster, nodes.front(), depth);
        }))
      return cluster.locality.levels[depth].level;
  return Level::kSite;
}

Status check_lease(const Fit& fit, const Lease& lease, Instant now, Duration estimate) {
  Nodes nodes;
  for (const LeasePart& part : lease.parts) nodes.push_back(part.node);
  WEIR_TRY(check_nodes(fit, nodes));
  for (std::size_t i = 0; i < lease.parts.size(); ++i)
    WEIR_TRY(check_part(fit, lease.parts[i], asked_of(fit.ask().gang, i)));
  if (lease.start != now || lease.until != now + estimate)
    return corrupt("the lease does not run from now until the estimated end");
  if (lease.exclusive != fit.ask().wish.exclusive)
    return corrupt("lease and wish disagree about exclusive domains");
  if (lease.spans != spanned_level(fit.cluster(), nodes))
    return corrupt(fmt::format("the lease says it spans a {}, it spans a {}", to_text(lease.spans),
                               to_text(spanned_level(fit.cluster(), nodes))));
  return {};
}

}  // namespace weir::slow
