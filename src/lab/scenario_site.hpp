// The cluster of a scenario case: nodes where the file puts them, or where its switches do.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "fabric/site_view.hpp"
#include "formats/scenario.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"

namespace weir::lab {

struct ScenarioSite {
  Locality locality;
  std::vector<Node> nodes;
  std::optional<fabric::SiteView> view;  // where the case has switches
};

// Errors begin with "line N: ": a name twice, a place inside two others, a switch above that is not
// there, a node without a cable, no node at all.
Result<ScenarioSite> scenario_site(const ScenarioCase& one);

}  // namespace weir::lab
