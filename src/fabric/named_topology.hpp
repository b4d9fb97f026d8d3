// NamedTopology: a site as files without cables describe it (Slurm's topology.conf, topograph):
// switches by name, the switches and nodes below each, and NVLink blocks of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace weir::fabric {

// Lines are where the source says a thing, for messages; 0 where it has no lines. They do not count
// when values are compared.
struct NamedSwitch {
  std::string name;
  std::vector<std::string> switches;  // below it; those without an entry of their own are empty
  std::vector<std::string> nodes;     // on it
  std::size_t line = 0;

  friend bool operator==(const NamedSwitch& a, const NamedSwitch& b) {
    return a.name == b.name && a.switches == b.switches && a.nodes == b.nodes;
  }
};

// Nodes of one NVLink domain.
struct NamedBlock {
  std::string name;
  std::vector<std::string> nodes;
  std::size_t line = 0;

  friend bool operator==(const NamedBlock& a, const NamedBlock& b) {
    return a.name == b.name && a.nodes == b.nodes;
  }
};

struct NamedTopology {
  std::vector<NamedSwitch> switches;  // in the order of the file; so are the blocks
  std::vector<NamedBlock> blocks;
  std::vector<std::uint32_t> block_sizes;  // Slurm's BlockSizes; empty where the source has none
  std::vector<std::string> remarks;        // what the source leaves open, as sentences

  friend bool operator==(const NamedTopology&, const NamedTopology&) = default;
};

// What a topology must obey: something is in it, names are unique, no switch stands below itself,
// every switch leads to nodes, no node is in two blocks. Errors begin with "LINE: " where the line
// is known.
Status check(const NamedTopology& topology);

// Several files as one, each of them checked. Error: a switch or block stands in two of them.
Result<NamedTopology> merge(std::vector<NamedTopology> parts);

}  // namespace weir::fabric
