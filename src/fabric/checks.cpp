// What cables, LIDs and switch names say is wrong, whatever the hosts are used for.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "fabric/analysis.hpp"

namespace weir::fabric {
namespace {

bool is_switch(const Snapshot& graph, VertexId id) {
  return graph.at(id).kind == VertexKind::kSwitch;
}

std::string cable_text(const Snapshot& graph, const Link& link) {
  return fmt::format("{} port {} - {} port {}", label(graph.at(link.a.vertex)), link.a.port.value(),
                     label(graph.at(link.b.vertex)), link.b.port.value());
}

void check_unlinked(SiteView& view) {
  for (std::uint32_t v = 0; v < view.graph.vertices.size(); ++v) {
    const Vertex& vertex = view.graph.vertices[v];
    if (vertex.kind != VertexKind::kHca || is_aggregation_node(vertex)) continue;
    if (view.graph.hops(VertexId(v)).empty())
      view.oddities.push_back({OddityKind::kUnlinkedHca, label(vertex), to_text(vertex.guid)});
  }
}

// Links between switches: slower than most of their plane.
void check_trunks(SiteView& view) {
  for (const Link& link : view.graph.links) {
    if (!is_switch(view.graph, link.a.vertex) || !is_switch(view.graph, link.b.vertex)) continue;
    const LinkRate usual = view.planes[view.plane_of[link.a.vertex.index()].index()].usual_rate;
    if (link.rate.is_known() && bandwidth(link.rate) < bandwidth(usual))
      view.oddities.push_back({OddityKind::kSlowLink, cable_text(view.graph, link),
                               fmt::format("runs {}, most links between switches {}",
                                           to_text(link.rate), to_text(usual))});
  }
}

// Links of HCAs: slower than those of at least three quarters of the HCAs on the same switch.
// Neighbours on a switch are alike; over a plane storage and compute hosts may well differ.
void check_drops(SiteView& view) {
  const Snapshot& graph = view.graph;
  for (std::uint32_t v = 0; v < graph.vertices.size(); ++v) {
    if (!is_switch(graph, VertexId(v))) continue;
    std::map<LinkRate, std::size_t> seen;
    std::size_t total = 0;
    const auto is_drop = [&](const Hop& hop) {
      return graph.at(hop.peer).kind == VertexKind::kHca &&
             !is_aggregation_node(graph.at(hop.peer)) && graph.at(hop.link).rate.is_known();
    };
    for (const Hop& hop : graph.hops(VertexId(v)))
      if (is_drop(hop)) ++seen[graph.at(hop.link).rate], ++total;
    const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto usual = std::ranges::max_element(seen, by_count);
    if (seen.size() < 2 || usual->second * 4 < total * 3) continue;
    for (const Hop& hop : graph.hops(VertexId(v))) {
      const Link& link = graph.at(hop.link);
      if (is_drop(hop) && bandwidth(link.rate) < bandwidth(usual->first))
        view.oddities.push_back({OddityKind::kSlowLink, cable_text(graph, link),
                                 fmt::format("runs {}, its neighbours on that switch {}",
                                             to_text(link.rate), to_text(usual->first))});
    }
  }
}

void check_lids(SiteView& view) {
  std::map<std::pair<PlaneId, Lid>, std::vector<VertexId>> holders;
  for (std::uint32_t v = 0; v < view.graph.vertices.size(); ++v) {
    for (const PortAddress& address : view.graph.vertices[v].addresses) {
      if (address.lid == Lid(0)) continue;
      PlaneId plane = view.plane_of[v];
      for (const Hop& hop : view.graph.hops(VertexId(v)))
        if (plane.is_none() && hop.port == address.port) plane = view.plane_of[hop.peer.index()];
      if (!plane.is_none()) holders[{plane, address.lid}].push_back(VertexId(v));
    }
  }
  for (const auto& [key, vertices] : holders) {
    if (vertices.size() < 2) continue;
    view.oddities.push_back(
        {OddityKind::kDuplicateLid, fmt::format("LID {}", key.second.value()),
         fmt::format("{} ports of plane {}: {}, {}", vertices.size(), key.first.value() + 1,
                     label(view.graph.at(vertices[0])), label(view.graph.at(vertices[1])))});
  }
}

void check_switch_names(SiteView& view) {
  std::map<std::string, std::vector<Guid>> guids;
  for (const Vertex& vertex : view.graph.vertices)
    if (vertex.kind == VertexKind::kSwitch) guids[label(vertex)].push_back(vertex.guid);
  for (const auto& [name, holders] : guids)
    if (holders.size() > 1)
      view.oddities.push_back(
          {OddityKind::kDuplicateSwitch, name,
           fmt::format("{} switches: {}, {}{}", holders.size(), to_text(holders[0]),
                       to_text(holders[1]), holders.size() > 2 ? ", ..." : "")});
}

}  // namespace

void check_links(SiteView& view) {
  check_unlinked(view);
  check_trunks(view);
  check_drops(view);
  check_lids(view);
  check_switch_names(view);
}

}  // namespace weir::fabric
