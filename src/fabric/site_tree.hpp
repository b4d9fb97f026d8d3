// SiteTree: where every node of a site stands, whatever the source: the locality tree that the
// planner places on, and the nodes in it. Made from cables (SiteView) or from names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "fabric/named_topology.hpp"
#include "fabric/site_view.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"

namespace weir::fabric {

struct SiteTree {
  Locality locality;
  std::vector<Node> nodes;  // by cell, then natural order of names; what a node holds is not known
  std::vector<std::string> remarks;  // what was left out of the tree and why, as sentences

  friend bool operator==(const SiteTree&, const SiteTree&) = default;
};

// Where the view has no compute node the tree is flat and has no nodes.
SiteTree tree_of(const SiteView& view);

// Nodes on the same leaves are a unit, units under the same switches a pod, pods that the same
// topmost switches join a fabric. A leaf whose every node is also on a leaf of at most half its
// size is another network (storage, management): it joins nothing and is named in the remarks.
// Blocks are a level below the unit; a topology of blocks alone is one unit.
// Errors: those of check(topology), and of with_blocks.
Result<SiteTree> tree_of(const NamedTopology& topology);

// The tree with NVLink blocks as its lowest level. A node in no block is a block of its own.
// Error: a block has nodes in two units. REQUIRES: the lowest level of the tree is the unit.
Result<SiteTree> with_blocks(SiteTree tree, std::span<const NamedBlock> blocks);

}  // namespace weir::fabric
