// The rules of a HistoryFilter, the same for every store.
#pragma once

#include "base/result.hpp"
#include "store/store.hpp"

namespace weir::store {

// Errors: kLimit.
Status check_limit(const HistoryFilter& filter);
// Whether a job belongs to the answer, but for limit and `after`.
bool selects(const HistoryFilter& filter, const FinishedJob& job);
// The place behind which the answer begins.
HistoryPlace first_place(const HistoryFilter& filter);
// Whether a place comes later in the answer than another: an earlier end, or a lower job.
bool is_behind(const HistoryPlace& place, const HistoryPlace& other);

}  // namespace weir::store
