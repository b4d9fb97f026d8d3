// Where a simulated job stream comes from: a log file in one of the known formats, or a generator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "formats/trace.hpp"
#include "formats/trace_filter.hpp"
#include "lab/pool_source.hpp"

namespace weir::lab {

struct TraceRequest {
  // "philly:FILE", "venus:FILE", "openb:FILE", "job:FILE", or "made:small", "made:gangs",
  // "made:mixed".
  std::string source;
  TraceFilter filter;
  // Divides the gaps between arrivals; 1 leaves them.
  double speedup = 1;
  // Offered load to reach: made streams are made for it, others sped up or slowed down to it.
  std::optional<double> load;
  Duration made_length = std::chrono::days(7);
  std::uint64_t seed = 1;
};

struct LabTrace {
  Trace jobs;
  std::string description;
  // GPU time asked over GPU time there is between the first and the last submission.
  double offered_load = 0;
  double speedup = 1;
};

// Errors name file and line, or the argument. Gangs of several nodes that name no rails get all
// rails of the pool.
Result<LabTrace> load_trace(const TraceRequest& request, const LabPool& pool);

// Moves each submission towards the first one: its distance divided by `factor` (> 0).
void speed_up(Trace& trace, double factor);

double offered_load(const Trace& trace, std::uint64_t pool_gpus);

}  // namespace weir::lab
