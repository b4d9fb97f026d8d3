#include "property/slow_reason.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace weir::slow {
namespace {

using Condition = std::function<bool(const Node&)>;

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// GPUs that a node must have for it: a share is of one.
std::uint32_t whole_gpus(const Capacity& demand) { return demand.gpu_milli > 0 ? 1 : demand.gpus; }

Status wrong(const Reason& reason, std::string_view why) {
  return corrupt(fmt::format("the reason \"{}\" (asked {}, best {}) is not true: {}",
                             sentence(reason), reason.asked, reason.best, why));
}

// Nodes that meet the conditions of the sieve up to one of them, in the order in which it names
// what is missing: partition, model, features, GPUs, CPUs, memory, rails.
std::vector<const Node*> nodes_passing(const Cluster& cluster, const Ask& ask, std::size_t steps) {
  const Requirement& wanted = ask.requirement;
  const Capacity& demand = ask.gang.per_node;
  const std::vector<Condition> conditions = {
      [&](const Node& node) {
        return wanted.partition.empty() || lists(node.kind.partitions, wanted.partition);
      },
      [&](const Node& node) {
        return wanted.gpu_models.empty() || lists(wanted.gpu_models, node.kind.gpu_model);
      },
      [&](const Node& node) {
        return std::all_of(
            wanted.features.begin(), wanted.features.end(),
            [&](const std::string& name) { return lists(node.kind.features, name); });
      },
      [&](const Node& node) { return node.kind.total.gpus >= whole_gpus(demand); },
      [&](const Node& node) { return node.kind.total.cpu_milli >= demand.cpu_milli; },
      [&](const Node& node) { return node.kind.total.memory_mib >= demand.memory_mib; },
      [&](const Node& node) {
        return ask.gang.node_count() == 1 || (node.rails & wanted.rails) == wanted.rails;
      },
  };
  std::vector<const Node*> passing;
  for (const Node& node : cluster.nodes)
    if (std::all_of(conditions.begin(), conditions.begin() + static_cast<std::ptrdiff_t>(steps),
                    [&](const Condition& condition) { return condition(node); }))
      passing.push_back(&node);
  return passing;
}

// The step of the sieve that a code names, or 0.
std::size_t step_of(ReasonCode code) {
  constexpr ReasonCode kSteps[] = {
      ReasonCode::kNoPartition, ReasonCode::kNoGpuModel,  ReasonCode::kNoFeatures,
      ReasonCode::kGpusPerNode, ReasonCode::kCpusPerNode, ReasonCode::kMemoryPerNode,
      ReasonCode::kRails,
  };
  for (std::size_t i = 0; i < std::size(kSteps); ++i)
    if (kSteps[i] == code) return i + 1;
  return 0;
}

Status check_sieve(const Cluster& cluster, const Ask& ask, const Reason& reason) {
  const std::size_t step = step_of(reason.code);
  if (!nodes_passing(cluster, ask, step).empty()) return wrong(reason, "some node meets it");
  const std::vector<const Node*> before = nodes_passing(cluster, ask, step - 1);
  if (before.empty()) return wrong(reason, "no node even meets the conditions before it");
  std::uint64_t best = 0;
  for (const Node* node : before) {
    const Capacity& total = node->kind.total;
    if (reason.code == ReasonCode::kGpusPerNode) best = std::max<std::uint64_t>(best, total.gpus);
    if (reason.code == ReasonCode::kCpusPerNode)
      best = std::max<std::uint64_t>(best, total.cpu_milli);
    if (reason.code == ReasonCode::kMemoryPerNode)
      best = std::max<std::uint64_t>(best, total.memory_mib);
  }
  if (reason.best != best) return wrong(reason, fmt::format("the best is {}", best));
  const Capacity& demand = ask.gang.per_node;
  std::uint64_t asked = 0;
  if (reason.code == ReasonCode::kGpusPerNode) asked = whole_gpus(demand);
  if (reason.code == ReasonCode::kCpusPerNode) asked = demand.cpu_milli;
  if (reason.code == ReasonCode::kMemoryPerNode) asked = demand.memory_mib;
  if (reason.code == ReasonCode::kRails) asked = ask.requirement.rails;
  if (reason.asked != asked) return wrong(reason, fmt::format("asked are {}", asked));
  return {};
}

struct Most {
  std::uint64_t nodes = 0;
  std::uint64_t segments = 0;
};

// The most that any domain of the widest allowed level has.
Most most_in_one_domain(const Fit& fit) {
  Most most;
  const bool segments = fit.ask().wish.segment_nodes > 0 && fit.widest() >= fit.segment_depth();
  for (std::uint32_t d = 0; d < fit.domains(fit.widest()); ++d) {
    const Place place{fit.widest(), DomainId(d)};
    most.nodes = std::max<std::uint64_t>(most.nodes, fit.whole_in(place).size());
    if (segments) most.segments = std::max<std::uint64_t>(most.segments, fit.segments_in(place));
  }
  return most;
}

Level widest_level(const Fit& fit) { return fit.cluster().locality.levels[fit.widest()].level; }

std::uint64_t segments_asked(const Ask& ask) { return ask.gang.nodes / ask.wish.segment_nodes; }

// "asked nodes, best in the best domain of the level", when too few nodes are the cause.
Status check_nodes_short(const Fit& fit, const Reason& reason) {
  const std::uint64_t best = most_in_one_domain(fit).nodes;
  if (reason.level != widest_level(fit)) return wrong(reason, "the gang may lie in another level");
  if (reason.best != best) return wrong(reason, fmt::format("the best has {}", best));
  if (reason.asked != fit.ask().gang.nodes && reason.asked != fit.ask().gang.node_count())
    return wrong(reason, "the gang asks for another number");
  if (best >= reason.asked) return wrong(reason, "that is enough");
  return {};
}

Status check_segments_short(const Fit& fit, const Reason& reason) {
  const Most most = most_in_one_domain(fit);
  if (reason.level != widest_level(fit)) return wrong(reason, "the gang may lie in another level");
  if (fit.ask().wish.segment_nodes == 0) return wrong(reason, "no segments are asked");
  if (most.nodes < fit.ask().gang.nodes) return wrong(reason, "not even the nodes suffice");
  if (reason.asked != segments_asked(fit.ask()) || reason.best != most.segments ||
      most.segments >= reason.asked)
    return wrong(reason, fmt::format("asked {}, the best holds {}", segments_asked(fit.ask()),
                                     most.segments));
  return {};
}

Status check_grade(const Cluster& cluster, const Ask& ask, const Reason& reason) {
  const Fit graded(world_idle(cluster, /*any_grade=*/false), ask);
  if (graded.fits()) return wrong(reason, "enough nodes have the grade");
  if (reason.name != to_text(ask.requirement.worst_grade)) return wrong(reason, "another grade");
  const Most most = most_in_one_domain(graded);
  if (reason.asked != ask.gang.nodes && reason.asked != ask.gang.node_count())
    return wrong(reason, "the gang asks for another number of nodes");
  if (reason.best >= reason.asked) return wrong(reason, "that is enough");
  if (most.nodes == 0) return reason.best == 0 ? Status{} : wrong(reason, "no node has the grade");
  if (reason.level != widest_level(graded))
    return wrong(reason, "the gang may lie in another level");
  // Where the nodes suffice but not in whole segments, those in whole segments count.
  const std::uint64_t best = most.nodes >= reason.asked && ask.wish.segment_nodes > 0
                                 ? most.segments * ask.wish.segment_nodes
                                 : most.nodes;
  if (reason.best != best) return wrong(reason, fmt::format("the best has {}", best));
  return {};
}

// Of one GPU, over all offered nodes that may serve.
Status check_share_short(const Fit& fit, const Reason& reason) {
  const Capacity& demand = fit.ask().gang.per_node;
  if (demand.gpu_milli == 0 || fit.ask().wish.exclusive) return wrong(reason, "no share is asked");
  if (reason.level != widest_level(fit)) return wrong(reason, "the job may lie in another level");
  std::uint32_t best = 0;
  for (std::uint32_t i = 0; i < fit.world().nodes.size(); ++i) {
    const Standing& node = fit.world().nodes[i];
    if (!node.offered || !fit.eligible(NodeId(i), demand)) continue;
    best = std::max(best, node.free.gpus > 0 ? 1000 : node.free.gpu_milli);
  }
  if (reason.asked != demand.gpu_milli || reason.best != best)
    return wrong(reason, fmt::format("asked {}, the best has {}", demand.gpu_milli, best));
  return most_in_one_domain(fit).nodes == 0 ? Status{} : wrong(reason, "some node serves");
}

}  // namespace

Status check_hard(const Cluster& cluster, const Ask& ask, const Reason& reason) {
  if (!reason.is_hard()) return wrong(reason, "the gang can never start, this says it may");
  const Fit fit(world_idle(cluster, /*any_grade=*/true), ask);
  if (cluster.nodes.empty() && reason.code == ReasonCode::kNodeCount)
    return reason.best == 0 && reason.asked == ask.gang.node_count() ? Status{}
                                                                     : wrong(reason, "no node");
  if (step_of(reason.code) > 0) return check_sieve(cluster, ask, reason);
  if (reason.code == ReasonCode::kLevelUnknown) {
    const TopologyWish& wish = ask.wish;
    const bool named = wish.require == reason.level || wish.exclusive == reason.level ||
                       (wish.segment_nodes > 0 && wish.segment_level == reason.level);
    if (!named || depth_of(cluster.locality, reason.level))
      return wrong(reason, "not wished, or known");
    return {};
  }
  if (fit.missing_level()) return wrong(reason, "a wish names a level that the tree lacks");
  if (reason.code == ReasonCode::kNodeCount) return check_nodes_short(fit, reason);
  return check_segments_short(fit, reason);
}

Status check_soft(const Cluster& cluster, const Ask& ask, const Reason& reason) {
  const Fit fit(world_now(cluster), ask);
  switch (reason.code) {
    case ReasonCode::kGrade: return check_grade(cluster, ask, reason);
    case ReasonCode::kBusy: return check_nodes_short(fit, reason);
    case ReasonCode::kBusyShare: return check_share_short(fit, reason);
    case ReasonCode::kBusySegments: return check_segments_short(fit, reason);
    case ReasonCode::kBusyTail:
      if (!ask.gang.has_tail() || reason.asked != ask.gang.tail.gpus)
        return wrong(reason, "the tail asks for something else");
      if (most_in_one_domain(fit).nodes < ask.gang.nodes)
        return wrong(reason, "not even the whole nodes fit");
      return reason.level == widest_level(fit) ? Status{} : wrong(reason, "another level");
    default: return wrong(reason, "the gang could start, but not now");
  }
}

}  // namespace weir::slow
