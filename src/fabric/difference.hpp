// What differs between two snapshots of one fabric, two trees of one site, or two sets of
// forwarding tables, as data; the sentences are in `report`.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/forwarding.hpp"
#include "fabric/graph.hpp"
#include "fabric/site_tree.hpp"

namespace weir::fabric {

// In the order in which they are listed.
enum class DifferenceKind : std::uint8_t {
  kVertexGone,   // only in the first
  kVertexNew,    // only in the second
  kKind,         // switch, HCA, router
  kDescription,  // NodeDescription
  kPorts,        // number of ports
  kLid,          // of one port
  kCableGone,    // `before` says where the port led
  kCableNew,     // `after` says where it leads
  kCableMoved,   // the port leads elsewhere
  kRate,         // of a cable
  kTableGone,    // forwarding table of a switch
  kTableNew,
  kRoute,     // entries of a table; `before` and `after` are the first one's ports
  kNodeGone,  // a node of a tree
  kNodeNew,
  kNodeMoved,  // it stands elsewhere in the tree
};

struct Difference {
  DifferenceKind kind = DifferenceKind::kVertexGone;
  std::string subject;  // "leaf01 (0x...)", "leaf01 (0x...) port 5", "node gpu07"
  std::string before;   // empty where there is none
  std::string after;

  friend auto operator<=>(const Difference&, const Difference&) = default;
};

// Compares what both say. A vertex is the same when its GUID is, or when one side knows an HCA by
// the GUID of one of its ports, as `ibnetdiscover -p` does. What a source does not say (a LID of 0,
// an unknown rate) differs from nothing; a number of ports is compared between equal GUIDs only,
// since such a source does not know it. The cables of a vertex that only one side knows are counted
// with it, not listed. Ascending by kind and subject; empty when nothing differs.
std::vector<Difference> differences(const Snapshot& before, const Snapshot& after);

// Nodes by name; where a node stands is the names of its domains.
std::vector<Difference> differences(const SiteTree& before, const SiteTree& after);

// Tables by switch; one difference for each switch, with the number of LIDs that differ.
std::vector<Difference> differences(const ForwardingTables& before, const ForwardingTables& after);

}  // namespace weir::fabric
