// The fabric view for programs: what `weir fabric show --json` prints. Nothing is left out.
#pragma once

#include <span>
#include <string>

#include "fabric/site_view.hpp"

namespace weir::report {

// One object: sources, complete, gaps[], counts{}, planes[], fabrics[] with rails[], tiers[] and
// pods[] of units[] of nodes[], other_hosts[], chassis[], oddities[]. Numbers that name a plane,
// pod or unit count from 1, as in the text; rails from 0, as their HCAs do. GUIDs are texts.
std::string fabric_json(const fabric::SiteView& view, std::span<const std::string> sources);

}  // namespace weir::report
