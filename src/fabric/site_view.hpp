// SiteView: what a snapshot means to a scheduler and to an operator: planes, hosts, compute nodes
// with their rails, units, pods, fabrics, switch ranks, and everything that looks odd.
//
// Derived from the graph alone: no naming convention for place. Names are used for one thing, to
// join HCAs into hosts. Words are those of the design (docs/design): plane, rail, unit, pod.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "fabric/graph.hpp"
#include "fabric/hca_name.hpp"
#include "fabric/oddity.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"

namespace weir::fabric {

using PlaneId = Id<struct PlaneTag>;                        // index in SiteView::planes
using HostId = Id<struct HostTag>;                          // index in SiteView::hosts
using RailNumber = Id<struct RailNumberTag, std::uint8_t>;  // 0..limits::kRails-1
using Rank = Id<struct RankTag, std::uint8_t>;              // 0 leaf, 1 spine, 2 core, ...

// One subnet: switches that cables join. Routers and HCAs join no planes.
struct Plane {
  std::vector<VertexId> switches;
  std::uint32_t hcas = 0;  // HCAs whose first link leads here, aggregation nodes not counted
  // Carries rails of compute nodes. A storage network that the same hosts are on is none.
  bool compute = false;
  LinkRate usual_rate;  // of its links between switches; of all its links where there is none
};

struct HostHca {
  VertexId vertex;
  DeviceName device;
  PlaneId plane = PlaneId::none();       // of its first link; none when it has no link to a switch
  RailNumber rail = RailNumber::none();  // none when it serves no rail
};

struct Host {
  std::string name;
  std::vector<HostHca> hcas;  // in the order of device names
  bool compute = false;
};

// A compute node as the pool takes it over. Its NodeId is its index in SiteView::nodes.
struct ComputeNode {
  HostId host;
  DomainId unit;
  RailMask rails = 0;             // linked to the fabric's plane of that rail
  std::vector<Guid> hca_by_rail;  // Guid(0) where the HCA is missing
};

struct Unit {
  DomainId pod;
  std::vector<VertexId> leaves;  // leaves that more of its nodes use than any other unit's
  std::uint32_t first_node = 0;  // its nodes are neighbours in SiteView::nodes
  std::uint32_t node_count = 0;
};

struct Pod {
  DomainId fabric;
  std::vector<VertexId> spines;
};

// All switches of one rank in one fabric and the bandwidth below and above them, one direction.
struct Tier {
  Rank rank;
  std::uint32_t switches = 0;
  std::uint32_t links_down = 0;
  std::uint32_t links_up = 0;
  Bandwidth down;
  Bandwidth up;
  // The switch with the highest ratio of down to up; none where no switch has both.
  VertexId worst = VertexId::none();
  Bandwidth worst_down;
  Bandwidth worst_up;
};

// Nodes joined to each other on every rail they use.
struct Fabric {
  std::vector<PlaneId> plane_by_rail;     // none where no node uses that rail
  std::vector<DeviceName> usual_devices;  // the device names by rail that most nodes have
  std::vector<Tier> tiers;                // from the leaves up
};

// Several switches in one box.
struct Chassis {
  std::string name;
  std::vector<VertexId> switches;
};

struct SiteView {
  Snapshot graph;
  std::vector<Plane> planes;       // most HCAs first
  std::vector<Host> hosts;         // natural order of names
  std::vector<ComputeNode> nodes;  // by unit, then natural order of names
  std::vector<Unit> units;         // by pod, then lowest node name; index = DomainId
  std::vector<Pod> pods;           // by fabric, then lowest node name; index = DomainId
  std::vector<Fabric> fabrics;     // by lowest node name; index = DomainId
  std::vector<Chassis> chassis;
  std::vector<Oddity> oddities;  // by kind, then subject
  // By vertex. The plane is none for HCAs and routers; the rank is none also for switches that
  // serve other hosts only.
  std::vector<PlaneId> plane_of;
  std::vector<Rank> rank_of;
  std::uint32_t aggregation_nodes = 0;

  [[nodiscard]] const Host& host_of(const ComputeNode& node) const {
    return hosts[node.host.index()];
  }
};

// Deterministic: equal snapshots give equal views. Never fails: what it cannot place is an oddity.
SiteView analyse(Snapshot snapshot);

// The tree unit / pod / fabric / site for the planner. A view without compute nodes gives
// flat_locality().
Locality locality(const SiteView& view);

// The nodes in the order of SiteView::nodes, all of this kind: the fabric does not know GPUs.
std::vector<Node> pool_nodes(const SiteView& view, const NodeKind& kind);

// "leaf", "spine", "core", "rank 3"
std::string rank_name(Rank rank);

}  // namespace weir::fabric
