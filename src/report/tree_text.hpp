// The locality tree of a site for a terminal: every domain, the nodes in the lowest ones as host
// lists, nothing cut.
#pragma once

#include <string>

#include "fabric/site_tree.hpp"

namespace weir::report {

std::string tree_text(const fabric::SiteTree& tree);

}  // namespace weir::report
