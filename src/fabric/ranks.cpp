// Ranks: how far a switch is from the compute leaves. Switches nearer to the leaves of other hosts
// (storage, login, management) belong to those and have no rank.
#include <algorithm>
#include <map>
#include <set>

#include "fabric/analysis.hpp"

namespace weir::fabric {
namespace {

constexpr std::uint32_t kFar = UINT32_MAX;
// A switch with fewer than half as many HCAs as the leaves beside it is no leaf: some HCA is
// plugged into a spine.
constexpr std::uint64_t kFewHcas = 2;

// Steps over cables between switches to the nearest source.
std::vector<std::uint32_t> distances(const Snapshot& graph, const std::vector<VertexId>& sources) {
  std::vector<std::uint32_t> distance(graph.vertices.size(), kFar);
  std::vector<VertexId> queue = sources;
  for (const VertexId source : sources) distance[source.index()] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const VertexId from = queue[at];
    for (const Hop& hop : graph.hops(from)) {
      if (graph.at(hop.peer).kind != VertexKind::kSwitch) continue;
      if (distance[hop.peer.index()] != kFar) continue;
      distance[hop.peer.index()] = distance[from.index()] + 1;
      queue.push_back(hop.peer);
    }
  }
  return distance;
}

// The switches that linked rails of nodes lead to, ascending and with the number of their HCAs.
std::map<VertexId, std::uint32_t> seats(const SiteView& view, const ComputeDraft& draft) {
  std::map<VertexId, std::uint32_t> hcas_on;
  for (const NodeDraft& node : draft.nodes)
    for (std::size_t r = 0; r < node.hca_by_rail.size(); ++r) {
      if ((node.rails >> r & 1U) == 0) continue;
      const Host& host = view.hosts[node.host.index()];
      ++hcas_on[first_switch(view.graph, host.hcas[node.hca_by_rail[r]].vertex)];
    }
  return hcas_on;
}

bool is_leaf(const Snapshot& graph, VertexId at, const std::map<VertexId, std::uint32_t>& seats) {
  std::set<VertexId> neighbours;
  std::uint64_t hcas = 0;
  for (const Hop& hop : graph.hops(at)) {
    const auto seat = seats.find(hop.peer);
    if (seat != seats.end() && neighbours.insert(hop.peer).second) hcas += seat->second;
  }
  return neighbours.size() < 2 || seats.at(at) * kFewHcas * neighbours.size() >= hcas;
}

bool is_host(const Vertex& vertex) {
  return vertex.kind == VertexKind::kHca && !is_aggregation_node(vertex);
}

std::set<VertexId> switches_beside(const Snapshot& graph, VertexId at) {
  std::set<VertexId> beside;
  for (const Hop& hop : graph.hops(at))
    if (graph.at(hop.peer).kind == VertexKind::kSwitch) beside.insert(hop.peer);
  return beside;
}

// A leaf to which no host is attached yet looks like a core: two steps from the leaves, no hosts.
// But it reaches no other spines than one of the leaves does, or one switch only; a core joins
// more.
bool is_empty_leaf(const Snapshot& graph, VertexId at,
                   const std::vector<std::uint32_t>& from_leaves) {
  if (from_leaves[at.index()] < 2 || from_leaves[at.index()] == kFar) return false;
  const std::set<VertexId> spines = switches_beside(graph, at);
  if (spines.size() == 1) return true;
  for (const Hop& hop : graph.hops(*spines.begin())) {
    if (from_leaves[hop.peer.index()] != 0) continue;
    if (std::ranges::includes(switches_beside(graph, hop.peer), spines)) return true;
  }
  return false;
}

// Switches at the edge that no compute node sits on: those of other hosts, and empty leaves.
std::vector<VertexId> other_edges(const SiteView& view,
                                  const std::map<VertexId, std::uint32_t>& seats,
                                  const std::vector<std::uint32_t>& from_leaves) {
  std::vector<VertexId> edges;
  for (std::uint32_t v = 0; v < view.graph.vertices.size(); ++v) {
    if (view.graph.vertices[v].kind != VertexKind::kSwitch || seats.contains(VertexId(v))) continue;
    const auto to_host = [&](const Hop& hop) { return is_host(view.graph.at(hop.peer)); };
    if (std::ranges::any_of(view.graph.hops(VertexId(v)), to_host) ||
        is_empty_leaf(view.graph, VertexId(v), from_leaves))
      edges.push_back(VertexId(v));
  }
  return edges;
}

void find_leaves_of_nodes(const SiteView& view, ComputeDraft& draft) {
  for (NodeDraft& node : draft.nodes) {
    const Host& host = view.hosts[node.host.index()];
    std::set<VertexId> leaves;
    for (std::size_t r = 0; r < node.hca_by_rail.size(); ++r) {
      if ((node.rails >> r & 1U) == 0) continue;
      for (const Hop& hop : view.graph.hops(host.hcas[node.hca_by_rail[r]].vertex))
        if (view.rank_of[hop.peer.index()] == Rank(0)) leaves.insert(hop.peer);
    }
    node.leaves.assign(leaves.begin(), leaves.end());
  }
}

struct Traffic {
  std::uint32_t links_down = 0;
  std::uint32_t links_up = 0;
  Bandwidth down;
  Bandwidth up;
};

// What one switch has below and above it. Hosts, and switches of other hosts, hang below it, but
// no switch hangs below a leaf. Cables between switches of one rank count as neither.
Traffic traffic_of(const SiteView& view, VertexId at) {
  Traffic traffic;
  const Rank rank = view.rank_of[at.index()];
  for (const Hop& hop : view.graph.hops(at)) {
    if (is_aggregation_node(view.graph.at(hop.peer))) continue;
    const Bandwidth rate = bandwidth(view.graph.at(hop.link).rate);
    const Rank other = view.rank_of[hop.peer.index()];
    if (other == rank) continue;
    const bool above = other.is_none()
                           ? rank == Rank(0) && view.graph.at(hop.peer).kind == VertexKind::kSwitch
                           : other > rank;
    if (above) {
      ++traffic.links_up;
      traffic.up = traffic.up + rate;
    } else {
      ++traffic.links_down;
      traffic.down = traffic.down + rate;
    }
  }
  return traffic;
}

double ratio(Bandwidth down, Bandwidth up) {
  return static_cast<double>(down.bits_per_second()) / static_cast<double>(up.bits_per_second());
}

void add_switch(Tier& tier, VertexId at, const Traffic& traffic) {
  ++tier.switches;
  tier.links_down += traffic.links_down;
  tier.links_up += traffic.links_up;
  tier.down = tier.down + traffic.down;
  tier.up = tier.up + traffic.up;
  if (traffic.down == Bandwidth() || traffic.up == Bandwidth()) return;
  if (!tier.worst.is_none() &&
      ratio(traffic.down, traffic.up) <= ratio(tier.worst_down, tier.worst_up))
    return;
  tier.worst = at;
  tier.worst_down = traffic.down;
  tier.worst_up = traffic.up;
}

}  // namespace

void rank_switches(SiteView& view, ComputeDraft& draft) {
  view.rank_of.assign(view.graph.vertices.size(), Rank::none());
  const std::map<VertexId, std::uint32_t> hcas_on = seats(view, draft);
  std::vector<VertexId> leaves;
  for (const auto& [at, hcas] : hcas_on)
    if (is_leaf(view.graph, at, hcas_on)) leaves.push_back(at);
  const std::vector<std::uint32_t> from_leaves = distances(view.graph, leaves);
  const std::vector<std::uint32_t> from_others =
      distances(view.graph, other_edges(view, hcas_on, from_leaves));
  for (std::size_t v = 0; v < view.rank_of.size(); ++v) {
    if (from_leaves[v] == kFar || from_leaves[v] > from_others[v]) continue;
    view.rank_of[v] = Rank(static_cast<std::uint8_t>(std::min(from_leaves[v], 254U)));
  }
  find_leaves_of_nodes(view, draft);
}

void measure_tiers(SiteView& view) {
  std::map<PlaneId, std::size_t> fabric_of;
  for (std::size_t f = view.fabrics.size(); f-- > 0;)
    for (const PlaneId plane : view.fabrics[f].plane_by_rail) fabric_of[plane] = f;
  std::map<std::pair<std::size_t, Rank>, Tier> tiers;
  for (std::uint32_t v = 0; v < view.graph.vertices.size(); ++v) {
    if (view.rank_of[v].is_none()) continue;
    const auto fabric = fabric_of.find(view.plane_of[v]);
    if (fabric == fabric_of.end()) continue;
    Tier& tier = tiers[{fabric->second, view.rank_of[v]}];
    tier.rank = view.rank_of[v];
    add_switch(tier, VertexId(v), traffic_of(view, VertexId(v)));
  }
  for (const auto& [key, tier] : tiers) view.fabrics[key.first].tiers.push_back(tier);
}

std::string rank_name(Rank rank) {
  if (rank == Rank(0)) return "leaf";
  if (rank == Rank(1)) return "spine";
  if (rank == Rank(2)) return "core";
  return "rank " + std::to_string(rank.value());
}

}  // namespace weir::fabric
