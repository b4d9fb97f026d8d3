// A job log as the simulator replays it: what was asked, when, and how long it really ran.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/job.hpp"

namespace weir {

struct TraceJob {
  Instant submit;
  Duration runtime{0};     // what the executor will take; job.estimate is what the planner is told
  std::string vc;          // virtual cluster or tenant, empty where the log has none
  std::uint64_t gpus = 0;  // a count without a shape: the pool's node size makes the gang of it
  Job job;                 // job.gang is set only where gpus == 0

  friend bool operator==(const TraceJob&, const TraceJob&) = default;
};

// In the order of the file, which breaks ties of equal submission times.
using Trace = std::vector<TraceJob>;

}  // namespace weir
