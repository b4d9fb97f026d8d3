// Cross-checks device names with leaves: in a rail-optimised fabric a leaf serves one rail of one
// unit, so an HCA that sits elsewhere is plugged in wrongly, or named wrongly.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "fabric/analysis.hpp"

namespace weir::fabric {
namespace {

// A leaf serves one rail when this share of its HCAs is of that rail, and at least kFewest are.
constexpr std::size_t kShareNumerator = 3;
constexpr std::size_t kShareDenominator = 4;
constexpr std::size_t kFewest = 3;

struct Seat {
  const Host* host;
  const HostHca* hca;
  DomainId unit;
};

std::map<VertexId, std::vector<Seat>> seats(const SiteView& view) {
  std::map<VertexId, std::vector<Seat>> on;
  for (const ComputeNode& node : view.nodes) {
    const Host& host = view.host_of(node);
    for (const HostHca& hca : host.hcas) {
      if (hca.rail.is_none() || (node.rails >> hca.rail.value() & 1U) == 0) continue;
      on[first_switch(view.graph, hca.vertex)].push_back({&host, &hca, node.unit});
    }
  }
  return on;
}

// The rail that the leaf serves, or none where it serves several.
RailNumber rail_of(const std::vector<Seat>& seats) {
  std::map<RailNumber, std::size_t> hcas;
  for (const Seat& seat : seats) ++hcas[seat.hca->rail];
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto most = std::ranges::max_element(hcas, by_count);
  const bool serves_one =
      most->second >= kFewest && most->second * kShareDenominator >= seats.size() * kShareNumerator;
  return serves_one ? most->first : RailNumber::none();
}

}  // namespace

void check_wiring(SiteView& view) {
  std::map<VertexId, DomainId> unit_of;
  for (std::uint32_t u = 0; u < view.units.size(); ++u)
    for (const VertexId leaf : view.units[u].leaves) unit_of[leaf] = DomainId(u);
  for (const auto& [at, seats] : seats(view)) {
    const RailNumber rail = rail_of(seats);
    const auto unit = unit_of.find(at);
    const std::string leaf = label(view.graph.at(at));
    for (const Seat& seat : seats) {
      if (unit == unit_of.end())
        view.oddities.push_back({OddityKind::kForeignLeaf, label(*seat.host, *seat.hca),
                                 fmt::format("sits on {}, which is no leaf", leaf)});
      else if (seat.unit != unit->second)
        view.oddities.push_back(
            {OddityKind::kForeignLeaf, label(*seat.host, *seat.hca),
             fmt::format("sits on {}, a leaf of unit {}; its node is in unit {}", leaf,
                         unit->second.value() + 1, seat.unit.value() + 1)});
      if (!rail.is_none() && seat.hca->rail != rail)
        view.oddities.push_back({OddityKind::kMiswired, label(*seat.host, *seat.hca),
                                 fmt::format("rail {} plugged into {}, a leaf of rail {}",
                                             seat.hca->rail.value(), leaf, rail.value())});
    }
  }
}

}  // namespace weir::fabric
