#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "fabric/analysis.hpp"
#include "fabric/disjoint_sets.hpp"

namespace weir::fabric {
namespace {

bool joins_switches(const Snapshot& graph, const Link& link) {
  return graph.at(link.a.vertex).kind == VertexKind::kSwitch &&
         graph.at(link.b.vertex).kind == VertexKind::kSwitch;
}

// The most frequent rate of each plane: of the links between its switches, else of all its links.
void find_usual_rates(SiteView& view) {
  std::vector<std::map<LinkRate, std::uint32_t>> between(view.planes.size());
  std::vector<std::map<LinkRate, std::uint32_t>> any(view.planes.size());
  for (const Link& link : view.graph.links) {
    PlaneId plane = view.plane_of[link.a.vertex.index()];
    if (plane.is_none()) plane = view.plane_of[link.b.vertex.index()];
    if (plane.is_none()) continue;
    ++any[plane.index()][link.rate];
    if (joins_switches(view.graph, link)) ++between[plane.index()][link.rate];
  }
  for (std::size_t p = 0; p < view.planes.size(); ++p) {
    std::uint32_t best = 0;
    for (const auto& [rate, count] : between[p].empty() ? any[p] : between[p])
      if (count > best) {
        best = count;
        view.planes[p].usual_rate = rate;
      }
  }
}

using Presence = std::map<PlaneId, std::uint32_t>;  // the HCAs of one host by plane

std::vector<Presence> presences(const SiteView& view) {
  std::vector<Presence> on(view.hosts.size());
  for (std::size_t h = 0; h < view.hosts.size(); ++h)
    for (const HostHca& hca : view.hosts[h].hcas)
      if (!hca.plane.is_none()) ++on[h][hca.plane];
  return on;
}

// The planes on which a quarter of the HCAs, or more, belong to hosts that are on no other plane.
std::vector<bool> serving_planes(const SiteView& view, const std::vector<Presence>& on) {
  std::vector<std::uint64_t> alone(view.planes.size(), 0);
  std::vector<std::uint64_t> all(view.planes.size(), 0);
  for (const Presence& host : on)
    for (const auto& [plane, count] : host) {
      all[plane.index()] += count;
      if (host.size() == 1) alone[plane.index()] += count;
    }
  std::vector<bool> serving(view.planes.size(), false);
  for (std::size_t p = 0; p < serving.size(); ++p)
    serving[p] = alone[p] > 0 && alone[p] * 4 >= all[p];
  return serving;
}

// How many HCAs hosts usually have on each plane: the count that covers the most HCAs.
std::vector<std::uint32_t> usual_counts(const SiteView& view, const std::vector<Presence>& on) {
  std::vector<std::map<std::uint32_t, std::uint32_t>> hosts_with(view.planes.size());
  for (const auto& host : on)
    for (const auto& [plane, count] : host) ++hosts_with[plane.index()][count];
  std::vector<std::uint32_t> usual(view.planes.size(), 0);
  for (std::size_t p = 0; p < usual.size(); ++p) {
    std::uint64_t best = 0;
    for (const auto& [count, hosts] : hosts_with[p])
      if (std::uint64_t{count} * hosts >= best) {
        best = std::uint64_t{count} * hosts;
        usual[p] = count;
      }
  }
  return usual;
}

}  // namespace

void find_planes(SiteView& view) {
  const Snapshot& graph = view.graph;
  DisjointSets sets(graph.vertices.size());
  for (const Link& link : graph.links)
    if (joins_switches(graph, link)) sets.join(link.a.vertex.index(), link.b.vertex.index());

  std::map<std::size_t, Plane> by_root;
  for (std::uint32_t v = 0; v < graph.vertices.size(); ++v)
    if (graph.vertices[v].kind == VertexKind::kSwitch)
      by_root[sets.root(v)].switches.push_back(VertexId(v));
  for (std::uint32_t v = 0; v < graph.vertices.size(); ++v) {
    const Vertex& vertex = graph.vertices[v];
    if (is_aggregation_node(vertex)) {
      ++view.aggregation_nodes;
    } else if (vertex.kind == VertexKind::kHca) {
      const VertexId at = first_switch(graph, VertexId(v));
      if (!at.is_none()) ++by_root[sets.root(at.index())].hcas;
    }
  }

  for (auto& [root, plane] : by_root) view.planes.push_back(std::move(plane));
  std::ranges::sort(view.planes, [](const Plane& a, const Plane& b) {
    if (a.hcas != b.hcas) return a.hcas > b.hcas;
    if (a.switches.size() != b.switches.size()) return a.switches.size() > b.switches.size();
    return a.switches < b.switches;
  });
  view.plane_of.assign(graph.vertices.size(), PlaneId::none());
  for (std::uint32_t p = 0; p < view.planes.size(); ++p)
    for (const VertexId at : view.planes[p].switches) view.plane_of[at.index()] = PlaneId(p);
  find_usual_rates(view);
}

// A host that has eight HCAs on one plane (or one on each of eight) and two on another says: the
// eight are for computing, the two for storage. One that has one HCA on each of nine planes says
// the same of the one on which a quarter of the HCAs belong to hosts that are on no other plane.
// Hosts on planes of one sort speak for these. A host weighs as much as it has HCAs.
void choose_compute_planes(SiteView& view) {
  const std::vector<Presence> on = presences(view);
  const std::vector<std::uint32_t> usual = usual_counts(view, on);
  const std::vector<bool> serving = serving_planes(view, on);
  const auto sort_of = [&](PlaneId plane) {
    return std::pair(usual[plane.index()], static_cast<bool>(serving[plane.index()]));
  };

  std::vector<std::int64_t> votes(view.planes.size(), 0);
  for (const Presence& host : on) {
    std::map<std::pair<std::uint32_t, bool>, std::uint32_t> hcas_by_sort;
    std::uint32_t weight = 0;
    for (const auto& [plane, count] : host) {
      hcas_by_sort[sort_of(plane)] += count;
      weight += count;
    }
    std::uint32_t most = 0;
    for (const auto& [sort, hcas] : hcas_by_sort) most = std::max(most, hcas);
    const bool tie = std::ranges::count_if(
                         hcas_by_sort, [&](const auto& sort) { return sort.second == most; }) > 1;
    if (tie) continue;
    for (const auto& [plane, count] : host)
      votes[plane.index()] +=
          hcas_by_sort[sort_of(plane)] == most ? std::int64_t{weight} : -std::int64_t{weight};
  }
  for (std::size_t p = 0; p < view.planes.size(); ++p)
    view.planes[p].compute = usual[p] > 0 && votes[p] >= 0;
}

bool is_aggregation_node(const Vertex& vertex) {
  return vertex.kind == VertexKind::kHca &&
         is_aggregation_node(vertex.device_id, vertex.description);
}

VertexId first_switch(const Snapshot& graph, VertexId hca) {
  for (const Hop& hop : graph.hops(hca))
    if (graph.at(hop.peer).kind == VertexKind::kSwitch) return hop.peer;
  return VertexId::none();
}

std::string label(const Vertex& vertex) {
  const std::string_view text = trim(vertex.description);
  return text.empty() ? to_text(vertex.guid) : std::string(text);
}

std::string label(const Host& host, const HostHca& hca) {
  return host.name + " " + hca.device.text;
}

}  // namespace weir::fabric
