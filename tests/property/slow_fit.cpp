#include "property/slow_fit.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace weir::slow {
namespace {

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Fit::Fit(World world, Ask ask) : world_(std::move(world)), ask_(std::move(ask)) {
  for (std::uint32_t i = 0; i < world_.nodes.size(); ++i) in_order_.push_back(NodeId(i));
  std::stable_sort(in_order_.begin(), in_order_.end(), [this](NodeId a, NodeId b) {
    return domain_at(cluster(), a, 0) < domain_at(cluster(), b, 0);
  });
  whole_.resize(world_.nodes.size());
  tail_.resize(world_.nodes.size());
  if (missing_level()) return;
  for (const NodeId node : in_order_) {
    whole_[node.index()] = serves(node, ask_.gang.per_node);
    tail_[node.index()] = ask_.gang.has_tail() && serves(node, ask_.gang.tail);
  }
}

std::optional<Level> Fit::missing_level() const {
  const TopologyWish& wish = ask_.wish;
  const Locality& tree = cluster().locality;
  if (wish.require && !depth_of(tree, *wish.require)) return wish.require;
  if (wish.exclusive && !depth_of(tree, *wish.exclusive)) return wish.exclusive;
  if (wish.segment_nodes > 0 && !depth_of(tree, wish.segment_level)) return wish.segment_level;
  return std::nullopt;
}

std::size_t Fit::widest() const {
  const Locality& tree = cluster().locality;
  std::size_t depth = tree.levels.size() - 1;
  // Several nodes need a network between them, and nothing joins two fabrics.
  if (ask_.gang.node_count() > 1)
    if (const auto fabric = depth_of(tree, Level::kFabric)) depth = std::min(depth, *fabric);
  if (ask_.wish.require) depth = std::min(depth, *depth_of(tree, *ask_.wish.require));
  return depth;
}

std::size_t Fit::segment_depth() const {
  return *depth_of(cluster().locality, ask_.wish.segment_level);
}

bool Fit::eligible(NodeId id, const Capacity& demand) const {
  const Node& node = cluster().nodes[id.index()];
  const Requirement& wanted = ask_.requirement;
  if (!world_.any_grade && static_cast<int>(node.grade) > static_cast<int>(wanted.worst_grade))
    return false;
  if (!wanted.partition.empty() && !lists(node.kind.partitions, wanted.partition)) return false;
  if (!wanted.gpu_models.empty() && !lists(wanted.gpu_models, node.kind.gpu_model)) return false;
  for (const std::string& feature : wanted.features)
    if (!lists(node.kind.features, feature)) return false;
  if (ask_.gang.node_count() > 1)
    for (std::uint32_t rail = 0; rail < 16; ++rail)
      if (((wanted.rails >> rail) & 1U) != 0 && ((node.rails >> rail) & 1U) == 0) return false;
  return enough(node.kind.total, demand);
}

bool Fit::serves(NodeId node, const Capacity& demand) const {
  const Standing& standing = world_.nodes[node.index()];
  if (!standing.offered || !eligible(node, demand) || !enough(standing.free, demand)) return false;
  return !ask_.wish.exclusive ||
         domain_is_idle(node, *depth_of(cluster().locality, *ask_.wish.exclusive));
}

bool Fit::domain_is_idle(NodeId node, std::size_t depth) const {
  for (std::uint32_t other = 0; other < world_.nodes.size(); ++other)
    if (world_.nodes[other].busy &&
        domain_at(cluster(), NodeId(other), depth) == domain_at(cluster(), node, depth))
      return false;
  return true;
}

std::vector<NodeId> Fit::marked_in(Place place, const std::vector<bool>& marks) const {
  std::vector<NodeId> found;
  for (const NodeId node : in_order_)
    if (marks[node.index()] && domain_at(cluster(), node, place.depth) == place.domain)
      found.push_back(node);
  return found;
}

std::vector<NodeId> Fit::whole_in(Place place) const { return marked_in(place, whole_); }

std::vector<NodeId> Fit::tail_in(Place place) const { return marked_in(place, tail_); }

std::uint32_t Fit::segments_in(Place place) const {
  std::uint32_t segments = 0;
  if (place.depth == segment_depth()) {
    for (std::size_t left = whole_in(place).size(); left >= ask_.wish.segment_nodes;
         left -= ask_.wish.segment_nodes)
      ++segments;
    return segments;
  }
  for (const DomainId child : children(place)) segments += segments_in({place.depth - 1, child});
  return segments;
}

bool Fit::tail_fits_beside(const std::vector<NodeId>& whole, Place place) const {
  if (!ask_.gang.has_tail()) return true;
  // Some node takes the tail, and enough others are left for the whole parts.
  for (const NodeId tail : tail_in(place)) {
    std::size_t others = 0;
    for (const NodeId node : whole)
      if (node != tail) ++others;
    if (others >= ask_.gang.nodes) return true;
  }
  return false;
}

bool Fit::holds(Place place) const {
  const std::vector<NodeId> whole = whole_in(place);
  if (whole.size() < ask_.gang.nodes) return false;
  const bool segments_matter = ask_.wish.segment_nodes > 0 && place.depth >= segment_depth();
  if (segments_matter && segments_in(place) * ask_.wish.segment_nodes < ask_.gang.nodes)
    return false;
  return tail_fits_beside(whole, place);
}

std::size_t Fit::domains(std::size_t depth) const {
  return cluster().locality.levels[depth].domains.size();
}

std::vector<DomainId> Fit::children(Place place) const {
  std::vector<DomainId> found;
  const std::vector<Domain>& below = cluster().locality.levels[place.depth - 1].domains;
  for (std::uint32_t d = 0; d < below.size(); ++d)
    if (below[d].parent == place.domain) found.push_back(DomainId(d));
  return found;
}

std::optional<std::size_t> Fit::smallest() const {
  if (missing_level()) return std::nullopt;
  for (std::size_t depth = 0; depth <= widest(); ++depth)
    for (std::uint32_t d = 0; d < domains(depth); ++d)
      if (holds({depth, DomainId(d)})) return depth;
  return std::nullopt;
}

bool possible(const Cluster& cluster, const Ask& ask) {
  return Fit(world_idle(cluster, /*any_grade=*/true), ask).fits();
}

Instant earliest_start(const Cluster& cluster, const Ask& ask, Instant now) {
  std::set<Instant> ends;
  for (const auto& [job, lease] : cluster.leases) ends.insert(expected_end(lease, now));
  for (const Instant end : ends)
    if (Fit(world_at(cluster, end, now), ask).fits()) return end;
  return Instant::far_future();
}

}  // namespace weir::slow
