// How a fat tree of any size is built: the arithmetic that vendors' reference designs follow.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "fabric/generator.hpp"

namespace weir::fabric {

// What a person wants; the rest follows.
struct FatTreeWish {
  std::uint32_t nodes = 0;
  std::uint32_t rails = 8;
  std::uint32_t planes = 1;
  std::uint32_t switch_ports = 64;
  std::uint32_t leaf_uplinks = 0;  // 0: as many as a leaf has ports down, so nothing blocks
  LinkRate rate{LinkWidth::k4x, LinkSpeed::kNdr};
};

// Units of half a leaf's ports. Two levels while one set of spines, shared by all rails, reaches
// every leaf: as few spines as hold all uplinks and divide those of a leaf. Else pods whose rails
// have spines of their own, and cores above. Errors: as of count_switches, and no tree of three
// levels of such switches holds the nodes.
Result<FatTree> plan_fat_tree(const FatTreeWish& wish);

}  // namespace weir::fabric
