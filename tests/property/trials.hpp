// Trials on the pool: grants, limits and trials inside trials, after each step against a recount,
// and taken back to the very bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "base/rng.hpp"
#include "property/slow_fit.hpp"
#include "state/state.hpp"

namespace weir::property {

// Leaves the state as it was. `steps` counts what was tried.
Status try_and_undo(state::State& state, const slow::Cluster& cluster,
                    const std::vector<slow::Ask>& asks, Rng& rng, std::uint64_t& steps);

}  // namespace weir::property
