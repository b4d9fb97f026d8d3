// FatTreeShape: the counts that follow from a FatTree plan, of one of its planes, and who is where.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "fabric/generator.hpp"

namespace weir::fabric {

struct FatTreeShape {
  std::uint32_t rails = 0;  // of one plane; so below
  std::uint32_t units = 0;
  std::uint32_t pods = 0;
  std::uint32_t leaves = 0;
  std::uint32_t spine_groups = 0;  // a pod, or a rail of a pod
  std::uint32_t spines = 0;
  std::uint32_t core_groups = 0;
  std::uint32_t cores = 0;
  std::uint32_t leaf_ports = 0;
  std::uint32_t spine_ports = 0;
  std::uint32_t core_ports = 0;
  std::uint32_t spine_down = 0;    // first so many ports of a spine lead to leaves
  std::uint32_t packed_nodes = 0;  // of the last unit, where its leaves are packed

  // The leaves of full units, one a rail, come first.
  [[nodiscard]] bool is_packed(std::uint32_t leaf) const {
    return packed_nodes != 0 && leaf >= (units - 1) * rails;
  }

  [[nodiscard]] std::uint32_t switches() const { return leaves + spines + cores; }
};

// Errors: see count_switches.
Result<FatTreeShape> shape_of(const FatTree& plan);

// Error: one plane cannot have so many LIDs, and what to do.
Status check_lids(std::uint64_t lids, std::uint32_t rails, std::uint32_t planes);

// The leaf port of a node on a rail of its plane, both counted from 0; so is `unit`.
struct LeafPlace {
  std::uint32_t leaf = 0;  // of the plane: unit by unit, in a unit rail by rail
  std::uint32_t unit = 0;
  std::uint32_t port = 0;  // as printed, from 1
};
LeafPlace place_of(const FatTree& plan, const FatTreeShape& shape, std::uint32_t node,
                   std::uint32_t rail);

}  // namespace weir::fabric
