// Explains why a gang does not start: by the inventory (it never can) or by what is taken now.
#pragma once

#include "model/reason.hpp"
#include "pool/pool.hpp"
#include "state/shape_table.hpp"

namespace weir::sched {

// The hard limit that keeps a shape from ever starting on this inventory, all nodes idle and good;
// kNone when it could start.
Reason why_never(const pool::Pool& pool, const state::Shape& shape);

// What keeps it from starting now; kNone when it could start now.
// REQUIRES: why_never() is kNone.
Reason why_not_now(const pool::Pool& pool, const state::Shape& shape);

}  // namespace weir::sched
