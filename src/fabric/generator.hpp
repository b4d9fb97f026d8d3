// Generator: rail-optimised fat trees, for demonstrations, tests, benchmarks and planning.
//
// A unit has one leaf for each rail; HCA r of its nodes joins leaf r. A pod has its own spines,
// either some for each rail or, with shared spines, some for all rails; every leaf of the pod
// reaches all spines that serve its rail. Core switches join spines of equal number in all rails
// and pods. Without cores each pod, or each rail of it, is a plane of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/graph.hpp"

namespace weir::fabric {

// The default: 128 nodes, 8 rails of 4xNDR, 4 units of 32 in 2 pods, no oversubscription, all
// switches with 64 ports.
struct FatTree {
  std::uint32_t nodes = 128;
  std::uint32_t rails = 8;
  std::uint32_t nodes_per_unit = 32;
  std::uint32_t units_per_pod = 2;
  std::uint32_t spines_per_rail = 2;  // in each pod; with shared_spines: for all rails together
  std::uint32_t leaf_uplinks = 32;    // of each leaf, shared evenly among its spines
  std::uint32_t cores_per_spine = 8;  // 0: no core level
  std::uint32_t spine_uplinks = 32;   // of each spine, shared evenly among its cores
  LinkRate rate{LinkWidth::k4x, LinkSpeed::kNdr};
  std::string node_name = "node";  // node001, node002, ...

  bool shared_spines = false;
  // Spines of a rail that share cores stand side by side; 0: each number has cores of its own.
  std::uint32_t core_groups = 0;
  // Subnets side by side, each with an equal part of the rails and with LIDs of its own.
  std::uint32_t planes = 1;
  std::uint32_t first_unit_nodes = 0;  // 0: as many as in other units
  // Ports of fabric managers, on free ports of the first unit's leaves, rail after rail.
  std::uint32_t manager_ports = 0;
  // A last unit with fewer nodes fills its leaves rail after rail, so that one leaf may carry
  // several rails; uplinks need not divide by the spines. One pod only.
  bool packed_leaves = false;
  std::uint32_t switch_ports = 0;  // 0: as many as there are cables
};

// How many switches of each rank a tree has, all planes together.
struct FatTreeCounts {
  std::uint32_t leaves = 0;
  std::uint32_t spines = 0;
  std::uint32_t cores = 0;
};

// A tree for this many nodes: up to 128 the default cut short, beyond it pods of 8 units (256
// nodes), each switch with 64 ports up to 1,024 nodes.
FatTree fat_tree_of(std::uint32_t nodes);

// Errors of these and the next: a count is zero where that makes no tree; rails, uplinks or spines
// do not divide; a switch would need more ports than it has; the LIDs of a plane would run out.
Result<FatTreeCounts> count_switches(const FatTree& plan);

// Vertices and cable ends of all planes, for tests that plant faults.
Result<FabricDraft> draft_fat_tree(const FatTree& plan);

// All planes as one snapshot.
Result<Snapshot> generate(const FatTree& plan);

// A snapshot for each plane, as a dump of each would have it.
Result<std::vector<Snapshot>> generate_planes(const FatTree& plan);

}  // namespace weir::fabric
