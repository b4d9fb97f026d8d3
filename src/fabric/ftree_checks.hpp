// Is a subnet a fat tree as the ftree engine wants it? Each check returns an error in words.
#pragma once

#include "base/result.hpp"
#include "fabric/ftree_tree.hpp"
#include "fabric/subnet.hpp"

namespace weir::fabric {

// All HCAs sit on switches of one rank.
Status check_leaf_ranks(const Subnet& subnet, const FatTreeView& tree);

// Switches of one rank are alike: as many groups of cables up (and, above the leaves, down), and
// groups as wide as the first group of the first switch of that rank. HCAs may be missing.
Status check_regular(const Subnet& subnet, const FatTreeView& tree);

}  // namespace weir::fabric
