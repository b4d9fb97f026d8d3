// Whether every placer answers as the slow one does, for one gang on the pool as it stands.
#pragma once

#include "base/result.hpp"
#include "base/rng.hpp"
#include "pool/pool.hpp"
#include "property/slow_fit.hpp"

namespace weir::property {

// Feasibility by every placer; where weir and firstfit put it; what may never start,
// why, and why not now.
Status compare_placers(const pool::Pool& pool, const slow::Cluster& cluster, const slow::Ask& ask,
                       Rng& rng);

}  // namespace weir::property
