// Generator: reference rail-optimised fat trees, for demonstrations, tests and benchmarks.
//
// A unit has one leaf for each rail; HCA r of its nodes joins leaf r. A pod has its own spines for
// each rail, and every leaf of the pod reaches all spines of its rail. Core switches join spine j
// of every rail and pod. Without cores each rail of each pod is a plane of its own.
#pragma once

#include <cstdint>
#include <string>

#include "fabric/graph.hpp"

namespace weir::fabric {

// The default: 128 nodes, 8 rails of 4xNDR, 4 units of 32 in 2 pods, no oversubscription, all
// switches with 64 ports.
struct FatTree {
  std::uint32_t nodes = 128;
  std::uint32_t rails = 8;
  std::uint32_t nodes_per_unit = 32;
  std::uint32_t units_per_pod = 2;
  std::uint32_t spines_per_rail = 2;  // in each pod
  std::uint32_t leaf_uplinks = 32;    // of each leaf, shared evenly among the spines of its rail
  std::uint32_t cores_per_spine = 8;  // 0: no core level
  std::uint32_t spine_uplinks = 32;   // of each spine, shared evenly among its cores
  LinkRate rate{LinkWidth::k4x, LinkSpeed::kNdr};
  std::string node_name = "node";  // node001, node002, ...
};

// A tree for this many nodes: up to 128 the default cut short, beyond it pods of 8 units (256
// nodes), each switch with 64 ports up to 1,024 nodes.
FatTree fat_tree_of(std::uint32_t nodes);

// Vertices and cable ends, for tests that plant faults. Errors: a count is zero where that makes no
// tree; uplinks do not divide; a switch would need more than 254 ports; LIDs would run out.
Result<FabricDraft> draft_fat_tree(const FatTree& plan);

Result<Snapshot> generate(const FatTree& plan);

}  // namespace weir::fabric
