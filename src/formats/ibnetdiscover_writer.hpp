// Writes a Snapshot as ibnetdiscover prints it, so that other tools (and our reader) can read it.
// Cables with one end only are written at that end; control bytes in descriptions become '.'.
#pragma once

#include <string>

#include "fabric/graph.hpp"

namespace weir {

std::string write_ibnetdiscover(const fabric::Snapshot& snapshot);

}  // namespace weir
