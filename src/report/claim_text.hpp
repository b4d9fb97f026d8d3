// What `weir bench claims placement` prints: the figures of each placement, then the first one
// against each of the others.
#pragma once

#include <string>
#include <vector>

#include "lab/placement_claim.hpp"

namespace weir::report {

std::string claim_text(const lab::PlacementClaimOptions& options,
                       const std::vector<lab::PlacementFigures>& figures);
std::string claim_json(const lab::PlacementClaimOptions& options,
                       const std::vector<lab::PlacementFigures>& figures);

}  // namespace weir::report
