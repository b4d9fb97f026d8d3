// The order of waiting jobs, sorted anew each time it is asked.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/job.hpp"

namespace weir::slow {

struct Waiting {
  Job job;
  Instant submitted;
  Instant promised = Instant::far_future();
};

// Ids in the order in which the jobs may start. REQUIRES: `order` is fifo, sjf, gputime, gpus or
// priority; no sum of a time and a priority leaves 63 bits.
std::vector<JobId> in_order(const std::map<JobId, Waiting>& waiting, const std::string& order,
                            Duration age_per_point);

}  // namespace weir::slow
