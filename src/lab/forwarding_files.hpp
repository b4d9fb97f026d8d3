// Reads dumped forwarding tables: what `weir fabric paths --tables` takes.
#pragma once

#include <filesystem>
#include <span>

#include "base/result.hpp"
#include "fabric/forwarding.hpp"

namespace weir::lab {

// Dumps as OpenSM writes them (opensm-lfts.dump), one or several planes each, as one set; plain,
// gzip or xz. Errors begin with the path; a switch in two files is one.
Result<fabric::ForwardingTables> read_tables(std::span<const std::filesystem::path> paths);

}  // namespace weir::lab
