// Writes where nodes stand as Slurm's topology.conf, which TopologyConfReader and slurmctld read.
#pragma once

#include <string>

#include "base/result.hpp"
#include "fabric/site_tree.hpp"

namespace weir {

// A switch for every unit, pod and fabric; fabrics that nothing joins stay apart. Names of domains
// that are not unique, or that Slurm cannot read, get a number instead. Error: a node's name cannot
// stand in the file. Both: REQUIRES: the tree has nodes.
Result<std::string> write_topology_tree(const fabric::SiteTree& tree);

// A line for every NVLink block, or for every unit where no block is known; BlockSizes is the
// number of nodes of the smallest.
Result<std::string> write_topology_blocks(const fabric::SiteTree& tree);

}  // namespace weir
