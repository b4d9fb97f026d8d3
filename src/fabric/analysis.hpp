// The stages of analyse(), in the order they run. Each reads what the stages before it wrote into
// the view and fills its own part; none depends on names beyond joining HCAs into hosts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/site_view.hpp"

namespace weir::fabric {

// A compute node while its place is being found.
struct NodeDraft {
  static constexpr std::size_t kNoHca = SIZE_MAX;

  HostId host;
  std::size_t pattern = 0;               // index in ComputeDraft::patterns
  std::vector<std::size_t> hca_by_rail;  // index in Host::hcas, or kNoHca
  std::size_t fabric = 0;                // index in SiteView::fabrics
  RailMask rails = 0;
  std::vector<VertexId> leaves;  // of its linked rails; ascending, unique
  std::size_t unit = 0;          // index in ComputeDraft::units
};

struct UnitDraft {
  std::size_t fabric = 0;
  HostId lowest_host;            // hosts stand in the order of their names
  std::vector<VertexId> leaves;  // ascending
  std::size_t pod = 0;           // index in ComputeDraft::pods
};

struct PodDraft {
  std::size_t fabric = 0;
  HostId lowest_host;
  std::vector<VertexId> spines;  // ascending
};

struct ComputeDraft {
  std::vector<std::vector<DeviceName>> patterns;  // device names by rail, one list a kind of node
  std::vector<NodeDraft> nodes;                   // ascending host
  std::vector<UnitDraft> units;
  std::vector<PodDraft> pods;
};

// planes.cpp: planes, plane_of, aggregation_nodes.
void find_planes(SiteView& view);
// hosts.cpp: hosts; HCAs that join none become oddities.
void join_hosts(SiteView& view);
// planes.cpp: Plane::compute, by the vote of the hosts that stand on several planes.
void choose_compute_planes(SiteView& view);
// compute_hosts.cpp: which hosts are compute nodes and which HCA serves which rail.
ComputeDraft choose_compute_hosts(SiteView& view);
// fabrics.cpp: fabrics, and each node's fabric and linked rails.
void split_fabrics(SiteView& view, ComputeDraft& draft);
// ranks.cpp: rank_of, and each node's leaves.
void rank_switches(SiteView& view, ComputeDraft& draft);
// units.cpp: nodes with the same leaves.
void group_units(ComputeDraft& draft);
// pods.cpp: units under the same spines.
void group_pods(SiteView& view, ComputeDraft& draft);
// ranks.cpp: Fabric::tiers.
void measure_tiers(SiteView& view);
// chassis.cpp: chassis.
void find_chassis(SiteView& view);
// checks.cpp: the oddities of cables, LIDs and names.
void check_links(SiteView& view);
// wiring.cpp: the oddities of rails and leaves. Runs last: it reads the finished nodes and units.
void check_wiring(SiteView& view);

// ---- shared by the stages ----

[[nodiscard]] bool is_aggregation_node(const Vertex& vertex);
// The switch at the other end of the first link; none for an HCA without one.
[[nodiscard]] VertexId first_switch(const Snapshot& graph, VertexId hca);
// The description without blanks at its ends, or the GUID where there is none.
[[nodiscard]] std::string label(const Vertex& vertex);
// "gpu-017 mlx5_3"
[[nodiscard]] std::string label(const Host& host, const HostHca& hca);

}  // namespace weir::fabric
