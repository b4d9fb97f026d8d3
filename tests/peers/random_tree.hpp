// Random fabrics that are more or less fat trees, to compare routing rules on shapes that nobody
// chose: cables in any order, several side by side, GUIDs in any order, parts missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fabric/graph.hpp"

namespace weir::testing {

enum class TreeFault : std::uint8_t {
  kNone,      // a regular tree with leaves of different size
  kEmpty,     // leaves without any HCA
  kCut,       // cables between switches are missing
  kSideways,  // cables between switches of one rank, above the leaves
};

std::optional<TreeFault> tree_fault_called(std::string_view name);

struct RandomTree {
  fabric::Snapshot graph;
  std::vector<Guid> roots;
};

// The same for the same seed. One plane with two leaves that have HCAs, at least.
RandomTree random_tree(std::uint64_t seed, TreeFault fault);

}  // namespace weir::testing
