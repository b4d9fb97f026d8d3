// Decision: what the planner settles in a turn. The journal keeps them; recovery applies them and
// never plans again.
#pragma once

#include <variant>
#include <vector>

#include "model/ids.hpp"
#include "model/lease.hpp"
#include "model/reason.hpp"

namespace weir {

struct JobStarted {
  JobId job;
  Lease lease;
  friend bool operator==(const JobStarted&, const JobStarted&) = default;
};

// It can never start here; it leaves the queue.
struct JobRefused {
  JobId job;
  Reason reason;
  friend bool operator==(const JobRefused&, const JobRefused&) = default;
};

// The first in line is promised to start by then: nothing that backfill starts may delay it.
struct StartPromised {
  JobId job;
  Instant by;
  friend bool operator==(const StartPromised&, const StartPromised&) = default;
};

using Decision = std::variant<JobStarted, JobRefused, StartPromised>;

}  // namespace weir
