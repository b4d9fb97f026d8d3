// The fabric view for a terminal: what `weir fabric show` prints.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "fabric/site_view.hpp"

namespace weir::report {

// Ends with a line break. `sources` are the files, for the heading. Long lists are cut ("and 37
// more"); fabric_json() has all. Names are made safe to print.
std::string fabric_text(const fabric::SiteView& view, std::span<const std::string> sources);

}  // namespace weir::report
