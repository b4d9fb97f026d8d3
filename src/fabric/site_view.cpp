#include "fabric/site_view.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "fabric/analysis.hpp"

namespace weir::fabric {
namespace {

// Positions of `items` in ascending order of what `key` gives for each.
template <typename Key>
std::vector<std::size_t> order_by(std::size_t count, Key key) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  std::ranges::sort(order, {}, key);
  return order;
}

std::vector<std::uint32_t> inverse(const std::vector<std::size_t>& order) {
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  return position;
}

// Numbers fabrics, pods, units and nodes so that children of one parent are neighbours and each
// level stands in the order of its lowest node name. Hosts already stand in the order of names.
void number_domains(SiteView& view, const ComputeDraft& draft) {
  std::vector<HostId> lowest(view.fabrics.size(), HostId::none());
  for (const UnitDraft& unit : draft.units)
    lowest[unit.fabric] = std::min(lowest[unit.fabric], unit.lowest_host);
  const auto fabric_order = order_by(view.fabrics.size(), [&](std::size_t f) { return lowest[f]; });
  const auto fabric_at = inverse(fabric_order);
  std::vector<Fabric> fabrics;
  for (const std::size_t f : fabric_order) fabrics.push_back(std::move(view.fabrics[f]));
  view.fabrics = std::move(fabrics);

  const auto pod_order = order_by(draft.pods.size(), [&](std::size_t p) {
    return std::pair(fabric_at[draft.pods[p].fabric], draft.pods[p].lowest_host);
  });
  const auto pod_at = inverse(pod_order);
  for (const std::size_t p : pod_order)
    view.pods.push_back({DomainId(fabric_at[draft.pods[p].fabric]), draft.pods[p].spines});

  const auto unit_order = order_by(draft.units.size(), [&](std::size_t u) {
    return std::pair(pod_at[draft.units[u].pod], draft.units[u].lowest_host);
  });
  const auto unit_at = inverse(unit_order);
  for (const std::size_t u : unit_order)
    view.units.push_back({DomainId(pod_at[draft.units[u].pod]), draft.units[u].leaves, 0, 0});

  const auto node_order = order_by(draft.nodes.size(), [&](std::size_t n) {
    return std::pair(unit_at[draft.nodes[n].unit], draft.nodes[n].host);
  });
  for (const std::size_t n : node_order) {
    const NodeDraft& found = draft.nodes[n];
    const DomainId unit_id(unit_at[found.unit]);
    Unit& unit = view.units[unit_id.index()];
    if (unit.node_count++ == 0) unit.first_node = static_cast<std::uint32_t>(view.nodes.size());
    ComputeNode node{found.host, unit_id, found.rails, {}};
    for (const std::size_t hca : found.hca_by_rail)
      node.hca_by_rail.push_back(
          hca == NodeDraft::kNoHca
              ? Guid(0)
              : view.graph.at(view.hosts[found.host.index()].hcas[hca].vertex).guid);
    view.nodes.push_back(std::move(node));
  }
}

}  // namespace

SiteView analyse(Snapshot snapshot) {
  SiteView view;
  view.graph = std::move(snapshot);
  find_planes(view);
  join_hosts(view);
  choose_compute_planes(view);
  ComputeDraft draft = choose_compute_hosts(view);
  split_fabrics(view, draft);
  rank_switches(view, draft);
  group_units(draft);
  group_pods(view, draft);
  number_domains(view, draft);
  measure_tiers(view);
  find_chassis(view);
  check_links(view);
  check_wiring(view);
  std::ranges::sort(view.oddities, [](const Oddity& a, const Oddity& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (const auto order = natural_compare(a.subject, b.subject); order != 0) return order < 0;
    return a.detail < b.detail;
  });
  return view;
}

Locality locality(const SiteView& view) {
  if (view.units.empty()) return flat_locality();
  LevelTable units{Level::kUnit, {}};
  LevelTable pods{Level::kPod, {}};
  LevelTable fabrics{Level::kFabric, {}};
  for (const Unit& unit : view.units)
    units.domains.push_back({unit.pod, fmt::format("unit{}", units.domains.size() + 1)});
  for (const Pod& pod : view.pods)
    pods.domains.push_back({pod.fabric, fmt::format("pod{}", pods.domains.size() + 1)});
  for (std::size_t f = 0; f < view.fabrics.size(); ++f)
    fabrics.domains.push_back({DomainId(0), fmt::format("fabric{}", f + 1)});
  LevelTable site{Level::kSite, {Domain{DomainId::none(), "site"}}};
  return {{std::move(units), std::move(pods), std::move(fabrics), std::move(site)}, true};
}

std::vector<Node> pool_nodes(const SiteView& view, const NodeKind& kind) {
  std::vector<Node> nodes;
  nodes.reserve(view.nodes.size());
  for (const ComputeNode& node : view.nodes)
    nodes.push_back({.name = view.host_of(node).name,
                     .kind = kind,
                     .cell = node.unit,
                     .rails = node.rails,
                     .grade = Grade::kGood,
                     .availability = Availability::kUp});
  return nodes;
}

}  // namespace weir::fabric
