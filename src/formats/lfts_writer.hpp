// Writes forwarding tables as OpenSM dumps them (opensm-lfts.dump), so that they can be compared
// with those of a running subnet manager line by line.
#pragma once

#include <string>

#include "fabric/forwarding.hpp"
#include "fabric/subnet.hpp"

namespace weir {

// REQUIRES: `subnet` is of `snapshot`. Switches in OpenSM's order; those without a table are left
// out, and so are LIDs that a switch has no route to.
std::string write_lfts(const fabric::Snapshot& snapshot, const fabric::Subnet& subnet,
                       const fabric::ForwardingTables& tables);

}  // namespace weir
