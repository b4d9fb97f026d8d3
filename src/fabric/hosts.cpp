#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "fabric/analysis.hpp"

namespace weir::fabric {
namespace {

struct NamedHca {
  HcaName name;
  VertexId vertex;
};

bool same_host(const NamedHca& a, const NamedHca& b) { return a.name.host == b.name.host; }
bool same_device(const NamedHca& a, const NamedHca& b) {
  return same_host(a, b) && a.name.device == b.name.device;
}

bool in_order(const NamedHca& a, const NamedHca& b) {
  if (const auto order = natural_compare(a.name.host, b.name.host); order != 0) return order < 0;
  if (const auto order = a.name.device <=> b.name.device; order != 0) return order < 0;
  return a.vertex < b.vertex;
}

std::string seat_of(const SiteView& view, VertexId hca) {
  const VertexId at = first_switch(view.graph, hca);
  const std::string guid = to_text(view.graph.at(hca).guid);
  return at.is_none() ? guid : fmt::format("{} on {}", guid, label(view.graph.at(at)));
}

// The HCAs whose names join them into hosts, in order. The others become oddities.
std::vector<NamedHca> named_hcas(SiteView& view) {
  std::vector<NamedHca> named;
  for (std::uint32_t v = 0; v < view.graph.vertices.size(); ++v) {
    const Vertex& vertex = view.graph.vertices[v];
    if (vertex.kind != VertexKind::kHca || is_aggregation_node(vertex)) continue;
    auto name = parse_hca_name(vertex.description);
    if (!name) {
      view.oddities.push_back(
          {OddityKind::kFactoryName, label(vertex), seat_of(view, VertexId(v))});
    } else if (is_placeholder_host(name->host)) {
      view.oddities.push_back(
          {OddityKind::kPlaceholderHost, label(vertex), seat_of(view, VertexId(v))});
    } else {
      named.push_back({*std::move(name), VertexId(v)});
    }
  }
  std::ranges::sort(named, in_order);
  return named;
}

}  // namespace

void join_hosts(SiteView& view) {
  const std::vector<NamedHca> named = named_hcas(view);
  for (auto at = named.begin(); at != named.end();) {
    const auto host_end = std::find_if_not(
        at, named.end(), [&](const NamedHca& other) { return same_host(*at, other); });
    Host host{.name = at->name.host, .hcas = {}};
    while (at != host_end) {
      const auto next = std::find_if_not(
          at, host_end, [&](const NamedHca& other) { return same_device(*at, other); });
      if (next - at == 1) {
        const VertexId leaf = first_switch(view.graph, at->vertex);
        host.hcas.push_back(
            {.vertex = at->vertex,
             .device = at->name.device,
             .plane = leaf.is_none() ? PlaneId::none() : view.plane_of[leaf.index()],
             .rail = RailNumber::none()});
      } else {
        for (; at != next; ++at)
          view.oddities.push_back({OddityKind::kDuplicateName, label(view.graph.at(at->vertex)),
                                   seat_of(view, at->vertex)});
      }
      at = next;
    }
    if (!host.hcas.empty()) view.hosts.push_back(std::move(host));
  }
}

}  // namespace weir::fabric
