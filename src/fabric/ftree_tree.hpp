// FatTreeView: a subnet as the ftree engine sees it: ranks from the roots down, cables in groups by
// where they lead, an index for each switch, and the leaves in the order of the index.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "fabric/routing.hpp"
#include "fabric/subnet.hpp"

namespace weir::fabric {

// A cable of a group and the routes that it carries so far, as its group's switch counts them.
struct TreeCable {
  std::uint8_t port = 0;
  std::uint8_t peer_port = 0;
  std::uint32_t up = 0;    // routes from the peer up to this switch
  std::uint32_t down = 0;  // main routes from the peer down to this switch
};

// All cables from one switch to one other.
struct TreeGroup {
  std::uint32_t peer = 0;
  std::vector<TreeCable> cables;  // ascending port
  std::uint32_t up = 0;
  std::uint32_t down = 0;
};

// The place of a switch in the tree: rank first, then one number for each rank. Unset until the
// walk meets the switch.
using TreeIndex = std::uint64_t;
inline constexpr TreeIndex kNoTreeIndex = UINT64_MAX;

// A group as a switch's list names it; the peer stands by, since most are passed over for it alone.
struct TreeEdge {
  std::uint32_t group = 0;
  std::uint32_t peer = 0;
};

struct TreeSwitch {
  std::uint32_t rank = 0;  // 0: root
  TreeIndex index = kNoTreeIndex;
  std::uint32_t hcas = 0;
  // In the order in which they are tried.
  std::vector<TreeEdge> below;
  std::vector<TreeEdge> above;
  std::vector<TreeEdge> beside;
  // Counters moved since the list was sorted.
  bool below_changed = false;
  bool above_changed = false;
};

struct FatTreeView {
  std::vector<TreeSwitch> switches;  // in the order of Subnet::switches
  std::vector<TreeGroup> groups;
  std::uint32_t leaf_rank = 0;
  std::vector<std::uint32_t> leaves;  // by index; may hold switches of that rank without HCAs
  std::uint32_t most_hcas = 0;        // of one leaf
};

// Errors as in compute_tables.
Result<FatTreeView> fat_tree_view(const Subnet& subnet, const RoutingOptions& options);

}  // namespace weir::fabric
