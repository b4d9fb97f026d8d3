// Minhop: every switch sends on a shortest path, and among its ports that lie on one through the
// port that fewest destinations use so far, the lowest of equals. Destinations come leaf by leaf,
// leaves with most end ports first, ports ascending; switches' own LIDs come last and do not count.
#pragma once

#include "fabric/forwarding.hpp"
#include "fabric/subnet.hpp"

namespace weir::fabric {

// Tables in the order of Subnet::switches.
ForwardingTables minhop_tables(const Subnet& subnet);

}  // namespace weir::fabric
