// Checks of reasons: each names a limit that is truly violated, with the numbers that a plain count
// gives.
#pragma once

#include "base/result.hpp"
#include "model/reason.hpp"
#include "property/slow_fit.hpp"

namespace weir::slow {

// A reason why the gang can never start. REQUIRES: possible() is false.
Status check_hard(const Cluster& cluster, const Ask& ask, const Reason& reason);
// A reason why it does not start now. REQUIRES: possible() is true, it does not fit now.
Status check_soft(const Cluster& cluster, const Ask& ask, const Reason& reason);

}  // namespace weir::slow
