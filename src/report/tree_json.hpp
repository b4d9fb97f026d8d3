// The locality tree of a site as one JSON object: levels with their domains, and every node with
// its domains by level.
#pragma once

#include <string>

#include "fabric/site_tree.hpp"

namespace weir::report {

std::string tree_json(const fabric::SiteTree& tree);

}  // namespace weir::report
