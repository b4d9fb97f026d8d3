// Ftree: tables of a fat tree by the rule of OpenSM's engine of that name (a D-mod-K by counters).
//
// Switches get an index by a walk from the first leaf (ftree_tree.hpp). Leaves and their HCAs are
// then taken in the order of that index; each HCA gets one main way from its leaf up to a root, at
// every switch through the group of cables that carries fewest such ways, and of it the cable that
// does. From each switch on the way, tables below it are set by going down to all switches that
// have no way yet, again through the cable that fewest use. A leaf with fewer HCAs than the fullest
// one routes as many stand-ins after them, so that a missing node shifts no route to other leaves.
#pragma once

#include "base/result.hpp"
#include "fabric/forwarding.hpp"
#include "fabric/routing.hpp"
#include "fabric/subnet.hpp"

namespace weir::fabric {

// Tables in the order of Subnet::switches. Errors: no fat tree (compute_tables).
Result<ForwardingTables> ftree_tables(const Subnet& subnet, const RoutingOptions& options);

}  // namespace weir::fabric
