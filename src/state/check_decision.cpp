// Checks of decisions that come from outside the planner: from a journal.
#include <algorithm>

#include <fmt/format.h>

#include "state/state.hpp"

namespace weir::state {
namespace {

std::unexpected<Error> impossible(JobId job, std::string_view why) {
  return corrupt(fmt::format("the decision on job {} is impossible: {}", job.value(), why));
}

// Each part gives what the gang asks, of a node that offers it now.
Status check_part(const JobRecord& record, std::size_t i, const LeasePart& part,
                  const pool::Pool& pool) {
  if (part.node.index() >= pool.nodes())
    return impossible(record.id, "its lease names an unknown node");
  const pool::NodeState& node = pool.node(part.node);
  const Gang& gang = record.job.gang;
  const Capacity held = pool::held_by(part);
  if (held != (i < gang.nodes ? gang.per_node : gang.tail))
    return impossible(record.id, fmt::format("part {} is not what was asked", i));
  if (!can_take(node, part.gpus, held))
    return impossible(record.id,
                      fmt::format("node {} does not have free what it leases", node.name));
  if (node.availability != Availability::kUp)
    return impossible(record.id, fmt::format("node {} is drained or down", node.name));
  if (node.closed_by > 0)
    return impossible(record.id,
                      fmt::format("node {} is in a domain that a job has for itself", node.name));
  return {};
}

// Nodes are different, of a class that may serve, and no more than one fabric's.
Status check_nodes(const JobRecord& record, const Lease& lease, const pool::Pool& pool) {
  const Gang& gang = record.job.gang;
  const bool several = gang.node_count() > 1;
  const auto eligible =
      pool.classes().eligible(record.job.requirement, gang.has_tail() ? gang.tail : gang.per_node,
                              several, /*any_grade=*/false);
  std::vector<NodeId> nodes;
  for (const LeasePart& part : lease.parts) {
    nodes.push_back(part.node);
    const pool::NodeState& node = pool.node(part.node);
    if (std::ranges::find(eligible, node.node_class, &pool::EligibleClass::id) == eligible.end())
      return impossible(record.id,
                        fmt::format("node {} does not meet what the job requires", node.name));
  }
  std::ranges::sort(nodes);
  if (std::ranges::adjacent_find(nodes) != nodes.end())
    return impossible(record.id, "its lease names a node twice");
  return {};
}

// Whether parts [first, last) lie inside one domain of the depth.
bool inside_one(std::span<const LeasePart> parts, std::size_t depth,
                const pool::FreeCapacityIndex& index) {
  const auto domain = [&](const LeasePart& part) {
    return index.ancestor(index.cell_of(part.node), depth);
  };
  return std::ranges::all_of(
      parts, [&](const LeasePart& part) { return domain(part) == domain(parts.front()); });
}

Status check_exclusive(const JobRecord& record, const Lease& lease,
                       const pool::FreeCapacityIndex& index) {
  if (lease.exclusive != record.job.wish.exclusive)
    return impossible(record.id, "its lease and its wish disagree about exclusive domains");
  if (!lease.exclusive) return {};
  const std::size_t depth = index.depth_of(*lease.exclusive);
  if (depth == index.levels())
    return impossible(record.id, "its exclusive level does not exist here");
  for (const LeasePart& part : lease.parts)
    if (index.busy_nodes(depth, index.ancestor(index.cell_of(part.node), depth)) > 0)
      return impossible(record.id, "a domain that it wants for itself is in use");
  return {};
}

Status check_topology(const JobRecord& record, const Lease& lease,
                      const pool::FreeCapacityIndex& index) {
  const TopologyWish& wish = record.job.wish;
  const std::span parts(lease.parts);
  // The network joins nodes of one fabric only; without such a level the whole site is one.
  const std::size_t fabric = index.depth_of(Level::kFabric);
  if (fabric < index.levels() && !inside_one(parts, fabric, index))
    return impossible(record.id, "its lease spans several fabrics");
  if (wish.require) {
    const std::size_t depth = index.depth_of(*wish.require);
    if (depth == index.levels() || !inside_one(parts, depth, index))
      return impossible(record.id, fmt::format("its lease leaves the one {} that it requires",
                                               to_text(*wish.require)));
  }
  if (wish.segment_nodes == 0) return {};
  const std::size_t depth = index.depth_of(wish.segment_level);
  for (std::size_t i = 0; i < parts.size(); i += wish.segment_nodes)
    if (depth == index.levels() || !inside_one(parts.subspan(i, wish.segment_nodes), depth, index))
      return impossible(record.id, fmt::format("a segment of its lease leaves its {}",
                                               to_text(wish.segment_level)));
  return {};
}

Status check_lease(const JobRecord& record, const Lease& lease, const pool::Pool& pool) {
  if (lease.parts.size() != record.job.gang.node_count())
    return impossible(record.id, fmt::format("its lease has {} parts, the gang {} nodes",
                                             lease.parts.size(), record.job.gang.node_count()));
  if (lease.until < lease.start) return impossible(record.id, "its lease ends before it starts");
  for (std::size_t i = 0; i < lease.parts.size(); ++i)
    WEIR_TRY(check_part(record, i, lease.parts[i], pool));
  WEIR_TRY(check_nodes(record, lease, pool));
  WEIR_TRY(check_exclusive(record, lease, pool.free()));
  return check_topology(record, lease, pool.free());
}

}  // namespace

Status State::check(const Decision& decision) const {
  const JobId id = std::visit([](const auto& content) { return content.job; }, decision);
  const JobRecord* record = find(id);
  if (record == nullptr || record->phase != JobPhase::kPending)
    return impossible(id, "it is not pending");
  if (const auto* started = std::get_if<JobStarted>(&decision))
    return check_lease(*record, started->lease, pool_);
  return {};
}

}  // namespace weir::state
