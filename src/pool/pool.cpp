#include "pool/pool.hpp"

#include <algorithm>
#include <bit>
#include <ranges>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/limits.hpp"

namespace weir::pool {
namespace {

NodeStanding standing_of(const NodeState& node, const Room& room) {
  return {room.free, node.availability == Availability::kUp && node.closed_by == 0,
          !node.holdings.empty()};
}

}  // namespace

Pool::Pool() : locality_(flat_locality()) {}

Status Pool::learn(const Locality& locality) {
  if (!nodes_.empty())
    return bad_input("the locality tree must be known before the first node joins");
  WEIR_TRY(check(locality));
  locality_ = locality;
  stale_ = true;
  ++inventory_version_;
  return {};
}

Result<NodeId> Pool::join(const Node& node) {
  if (nodes_.size() >= limits::kNodes)
    return over_limit(
        fmt::format("node {}: the pool holds {} nodes, its limit", node.name, limits::kNodes));
  WEIR_TRY(check(node));
  if (node.cell.index() >= locality_.levels.front().domains.size())
    return bad_input(fmt::format("node {}: it stands in {} {}, which the locality tree lacks",
                                 node.name, to_text(locality_.levels.front().level),
                                 node.cell.value()));
  WEIR_TRY(check_index_size(node.kind, node.grade, node.rails, nodes_.size() + 1));
  const NodeId id(static_cast<std::uint32_t>(nodes_.size()));
  if (!names_.try_emplace(node.name, id).second)
    return bad_input(fmt::format("node {}: a node of this name has joined already", node.name));
  NodeState state;
  state.name = node.name;
  state.node_class = classes_.intern(NodeClass{classes_.intern(node.kind), node.grade, node.rails});
  state.cell = node.cell;
  state.availability = node.availability;
  static_cast<Room&>(state) = whole_room(node.kind.total);
  // In a domain that a running job has for itself it is closed as its neighbours are.
  for (auto& [job, closed] : closed_) {
    if (!std::ranges::binary_search(closed.domains, domain_around(node.cell, closed.level)))
      continue;
    closed.nodes.push_back(id);
    ++state.closed_by;
  }
  nodes_.push_back(std::move(state));
  ledger_.gpus += node.kind.total.gpus;
  max_gpus_ = std::max(max_gpus_, node.kind.total.gpus);
  stale_ = true;
  ++inventory_version_;
  return id;
}

// The index grows with domains x classes, and each set of rails and each grade makes a class.
Status Pool::check_index_size(const NodeKind& kind, Grade grade, RailMask rails,
                              std::size_t nodes) const {
  const std::uint64_t bytes = FreeCapacityIndex::bytes_for(
      locality_, nodes, classes_.classes() + (classes_.knows(kind, grade, rails) ? 0 : 1),
      std::max(max_gpus_, kind.total.gpus));
  if (bytes <= limits::kFreeIndexBytes) return {};
  return over_limit(fmt::format(
      "{} classes of nodes (kind, grade, rails) in a tree of this size take {} bytes of "
      "index, the limit is {}: give equal nodes equal kinds",
      classes_.classes() + 1, bytes, limits::kFreeIndexBytes));
}

Status Pool::grade(NodeId node, Grade grade) {
  WEIR_ASSERT(open_trials_ == 0);
  NodeState& state = nodes_[node.index()];
  NodeClass changed = classes_.node_class(state.node_class);
  if (changed.grade == grade) return {};
  changed.grade = grade;
  WEIR_TRY(check_index_size(classes_.kind(changed.kind), grade, changed.rails, nodes_.size()));
  state.node_class = classes_.intern(changed);
  ++inventory_version_;
  if (stale_) return {};
  free_.change_class(node, state.node_class, classes_);
  idle_.change_class(node, state.node_class, classes_);
  return {};
}

void Pool::set_availability(NodeId node, Availability availability) {
  WEIR_ASSERT(open_trials_ == 0);
  nodes_[node.index()].availability = availability;
  refresh(node);
}

LeasePart Pool::part_on(NodeId node, const Capacity& demand,
                        std::optional<std::uint8_t> gpu) const {
  const NodeState& state = nodes_[node.index()];
  WEIR_ASSERT(state.free.covers(demand));
  GpuMask gpus = 0;
  if (gpu) {
    gpus = *gpu == kFreshGpu ? state.free_gpus & -state.free_gpus : GpuMask{1} << *gpu;
    WEIR_ASSERT(demand.asks_share() && can_take(state, gpus, demand));
  } else if (demand.asks_share() && state.limit.usable) {
    gpus = usual_gpus(usable_now(state, *state.limit.usable), demand);
  } else {
    gpus = usual_gpus(state, demand);
  }
  return {node, gpus, demand.cpu_milli, demand.memory_mib, demand.gpu_milli};
}

void Pool::grant(JobId job, const Lease& lease) {
  for (const LeasePart& part : lease.parts) hold(job, part, lease.until);
  if (lease.exclusive) close_domains(job, lease);
  ++ledger_.leases;
  if (open_trials_ == 0) return;
  steps_.push_back({job, step_parts_.size(), NodeId::none(), {}});
  step_parts_.insert(step_parts_.end(), lease.parts.begin(), lease.parts.end());
}

void Pool::release(JobId job, const Lease& lease) {
  WEIR_ASSERT(open_trials_ == 0);
  reopen_domains(job);
  for (const LeasePart& part : lease.parts) unhold(job, part);
  --ledger_.leases;
}

Pool::Trial::Trial(Pool& pool) : pool_(pool), mark_(pool.steps_.size()) { ++pool_.open_trials_; }

void Pool::roll_back(std::size_t mark) {
  while (steps_.size() > mark) {
    const Step step = steps_.back();
    steps_.pop_back();
    if (step.job.is_none()) {
      nodes_[step.node.index()].limit = step.limit_before;
      refresh(step.node);
      continue;
    }
    const std::span parts = std::span(step_parts_).subspan(step.first_part);
    reopen_domains(step.job);
    for (const LeasePart& part : std::views::reverse(parts)) unhold(step.job, part);
    step_parts_.resize(step.first_part);
    --ledger_.leases;
  }
  --open_trials_;
}

void Pool::set_limit(NodeId node, const std::optional<Room>& usable) {
  WEIR_ASSERT(open_trials_ > 0);
  NodeState& state = nodes_[node.index()];
  // Limits go up and down many times in one trial: only what stood before the first counts.
  if (state.limit.set_in != open_trials_)
    steps_.push_back({JobId::none(), step_parts_.size(), node, state.limit});
  state.limit = {usable, open_trials_};
  refresh(node);
}

void Pool::hold(JobId job, const LeasePart& part, Instant until) {
  NodeState& state = nodes_[part.node.index()];
  const Capacity held = held_by(part);
  take(state, part.gpus, held);
  state.holdings.push_back({job, until, held, part.gpus});
  ledger_.leased_milli += held.milli_gpus();
  ++ledger_.lease_parts;
  WEIR_ASSERT(ledger_.leased_milli <= ledger_.gpus * kWholeMilli);
  refresh(part.node);
}

void Pool::unhold(JobId job, const LeasePart& part) {
  NodeState& state = nodes_[part.node.index()];
  const Capacity held = held_by(part);
  const auto found = std::find_if(state.holdings.rbegin(), state.holdings.rend(),
                                  [&](const Holding& holding) { return holding.job == job; });
  WEIR_ASSERT(found != state.holdings.rend() && found->gpus == part.gpus && found->held == held);
  state.holdings.erase(std::next(found).base());
  give_back(state, part.gpus, held);
  WEIR_ASSERT(classes_.kind_of(state.node_class).total.gpus >= state.free.gpus);
  ledger_.leased_milli -= held.milli_gpus();
  --ledger_.lease_parts;
  refresh(part.node);
}

DomainId Pool::domain_around(DomainId cell, Level level) const {
  DomainId domain = cell;
  for (const LevelTable& table : locality_.levels) {
    if (table.level == level) return domain;
    domain = table.domains[domain.index()].parent;
  }
  WEIR_ASSERT(false && "the level exists");
}

void Pool::close_domains(JobId job, const Lease& lease) {
  ClosedNodes closed{lease.until, *lease.exclusive, {}, {}};
  for (const LeasePart& part : lease.parts)
    closed.domains.push_back(domain_around(nodes_[part.node.index()].cell, closed.level));
  std::ranges::sort(closed.domains);
  closed.domains.erase(std::ranges::unique(closed.domains).begin(), closed.domains.end());
  const std::size_t depth = free().depth_of(closed.level);
  for (const DomainId domain : closed.domains) free().nodes_under(depth, domain, closed.nodes);
  std::ranges::sort(closed.nodes);
  for (const NodeId node : closed.nodes) {
    ++nodes_[node.index()].closed_by;
    refresh(node);
  }
  closed_.emplace(job, std::move(closed));
}

void Pool::reopen_domains(JobId job) {
  const auto found = closed_.find(job);
  if (found == closed_.end()) return;
  for (const NodeId node : found->second.nodes) {
    --nodes_[node.index()].closed_by;
    refresh(node);
  }
  closed_.erase(found);
}

void Pool::refresh(NodeId node) {
  if (stale_) return;
  const NodeState& state = nodes_[node.index()];
  if (!state.limit.usable) {
    free_.update(node, standing_of(state, state), state.shared);
    return;
  }
  const Room usable = usable_now(state, *state.limit.usable);
  free_.update(node, standing_of(state, usable), usable.shared);
}

const FreeCapacityIndex& Pool::free() const {
  if (stale_) rebuild();
  return free_;
}

const FreeCapacityIndex& Pool::idle() const {
  if (stale_) rebuild();
  return idle_;
}

std::vector<IndexedNode> Pool::standing_now(std::vector<Room>& limited) const {
  std::vector<IndexedNode> now;
  now.reserve(nodes_.size());
  limited.reserve(nodes_.size());  // spans into them must stay
  for (const NodeState& node : nodes_) {
    const Room* room = &node;
    if (node.limit.usable) room = &limited.emplace_back(usable_now(node, *node.limit.usable));
    now.push_back({node.cell, node.node_class, standing_of(node, *room), room->shared});
  }
  return now;
}

void Pool::rebuild() const {
  std::vector<Room> limited;
  std::vector<IndexedNode> now = standing_now(limited);
  free_ = FreeCapacityIndex(locality_, classes_, now);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    now[i].standing = {classes_.kind_of(nodes_[i].node_class).total, true, false};
    now[i].shared = {};
  }
  idle_ = FreeCapacityIndex(locality_, classes_, now);
  stale_ = false;
}

}  // namespace weir::pool
