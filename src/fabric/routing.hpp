// Routing: forwarding tables of one plane, computed by the rules of OpenSM's engines, so that they
// can be known before a fabric is built or while only a dump of its cables is at hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "fabric/forwarding.hpp"
#include "fabric/subnet.hpp"

namespace weir::fabric {

enum class RoutingRule : std::uint8_t {
  kFtree,   // fat tree: a path goes up, then down; routes spread by counters in a fixed order
  kMinhop,  // any shortest path; each switch by itself spreads destinations over its ports
};

struct RoutingOptions {
  RoutingRule rule = RoutingRule::kFtree;
  // OpenSM's root_guid_file, ftree only: the top switches. Empty: those farthest from the HCAs, and
  // only a regular tree is accepted. GUIDs of other planes do not count.
  std::vector<Guid> roots;
  // OpenSM's connect_roots, ftree only: also routes between switches that no up-down path joins.
  bool connect_roots = false;
};

// "ftree", "minhop"; nothing for other words.
std::optional<RoutingRule> routing_rule_called(std::string_view name);

// Equal to the tables that OpenSM 3.3.23 writes with lmc 0 and its default options
// (docs/adr/008-routing-as-opensm.md). Errors (ftree): the plane is no fat tree, in words that say
// which switch breaks the rule; OpenSM then falls back to minhop.
Result<ForwardingTables> compute_tables(const Subnet& subnet, const RoutingOptions& options);

}  // namespace weir::fabric
