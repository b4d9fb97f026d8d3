// Pods: units under the same spines. A unit joins the pod whose spines most of its cables lead to,
// so that one stray cable merges nothing.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "fabric/analysis.hpp"

namespace weir::fabric {
namespace {

using Cables = std::map<VertexId, std::size_t>;  // by spine

Cables uplinks(const SiteView& view, const UnitDraft& unit) {
  Cables cables;
  for (const VertexId leaf : unit.leaves)
    for (const Hop& hop : view.graph.hops(leaf))
      if (view.rank_of[hop.peer.index()] == Rank(1)) ++cables[hop.peer];
  return cables;
}

std::size_t total(const Cables& cables) {
  std::size_t sum = 0;
  for (const auto& [spine, count] : cables) sum += count;
  return sum;
}

// The pod that each spine belongs to. Fabrics count apart: they may share planes.
using Owners = std::map<std::pair<std::size_t, VertexId>, std::size_t>;

// The pod that more than half of the unit's cables lead to, or SIZE_MAX.
std::size_t pod_above(const UnitDraft& unit, const Cables& cables, const Owners& owners) {
  std::map<std::size_t, std::size_t> to_pod;
  for (const auto& [spine, count] : cables)
    if (const auto owner = owners.find({unit.fabric, spine}); owner != owners.end())
      to_pod[owner->second] += count;
  for (const auto& [pod, count] : to_pod)
    if (count * 2 > total(cables)) return pod;
  return SIZE_MAX;
}

// Once all units have their pods: a spine belongs to the pod that most of its cables lead to.
Owners final_owners(const ComputeDraft& draft, const std::vector<Cables>& cables) {
  std::map<std::pair<std::size_t, VertexId>, std::map<std::size_t, std::size_t>> cables_to;
  for (std::size_t u = 0; u < draft.units.size(); ++u)
    for (const auto& [spine, count] : cables[u])
      cables_to[{draft.units[u].fabric, spine}][draft.units[u].pod] += count;
  Owners owners;
  const auto by_cables = [](const auto& a, const auto& b) { return a.second < b.second; };
  for (const auto& [spine, pods] : cables_to)
    owners[spine] = std::ranges::max_element(pods, by_cables)->first;
  return owners;
}

void report_strays(SiteView& view, const ComputeDraft& draft, const Owners& owners) {
  for (const UnitDraft& unit : draft.units)
    for (const VertexId leaf : unit.leaves)
      for (const Hop& hop : view.graph.hops(leaf)) {
        const auto owner = owners.find({unit.fabric, hop.peer});
        if (owner == owners.end() || owner->second == unit.pod) continue;
        view.oddities.push_back(
            {OddityKind::kStrayCable,
             fmt::format("{} port {}", label(view.graph.at(leaf)), hop.port.value()),
             fmt::format("leads to {}, a spine of another pod", label(view.graph.at(hop.peer)))});
      }
}

// Units in the order in which they found pods: many cables first, then by name, so that a unit
// with cut cables finds its pod there.
std::vector<std::size_t> founding_order(const ComputeDraft& draft,
                                        const std::vector<Cables>& cables) {
  std::vector<std::size_t> order(draft.units.size());
  for (std::size_t u = 0; u < order.size(); ++u) order[u] = u;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const std::size_t cables_a = total(cables[a]);
    const std::size_t cables_b = total(cables[b]);
    if (cables_a != cables_b) return cables_a > cables_b;
    return draft.units[a].lowest_host < draft.units[b].lowest_host;
  });
  return order;
}

}  // namespace

void group_pods(SiteView& view, ComputeDraft& draft) {
  std::vector<Cables> cables;
  for (const UnitDraft& unit : draft.units) cables.push_back(uplinks(view, unit));
  Owners owners;
  std::map<std::size_t, std::size_t> spineless;  // by fabric: units that no spine is above
  for (const std::size_t u : founding_order(draft, cables)) {
    UnitDraft& unit = draft.units[u];
    unit.pod = pod_above(unit, cables[u], owners);
    if (unit.pod == SIZE_MAX && cables[u].empty())
      unit.pod = spineless.try_emplace(unit.fabric, draft.pods.size()).first->second;
    if (unit.pod == SIZE_MAX) unit.pod = draft.pods.size();
    if (unit.pod == draft.pods.size())
      draft.pods.push_back({.fabric = unit.fabric, .lowest_host = unit.lowest_host, .spines = {}});
    PodDraft& pod = draft.pods[unit.pod];
    pod.lowest_host = std::min(pod.lowest_host, unit.lowest_host);
    for (const auto& [spine, count] : cables[u]) owners.try_emplace({unit.fabric, spine}, unit.pod);
  }
  owners = final_owners(draft, cables);
  for (const auto& [spine, pod] : owners) draft.pods[pod].spines.push_back(spine.second);
  report_strays(view, draft, owners);
}

}  // namespace weir::fabric
