// The comparison for programs: what `weir sim --json` prints.
#pragma once

#include <string>

#include "sim/result.hpp"

namespace weir::report {

// One JSON object, indented, ending with a line break:
//   { pool, trace, nodes, gpus, offered_load, seed,
//     policies: [ { order, placement, jobs, completion_s{mean,p50,p95,p99}, wait_s{…},
//                   utilisation, multi_unit_jobs, multi_pod_jobs, journal_hash,
//                   backfill, refused, multi_node_jobs } … in the order asked ] }
// Times in seconds, shares 0..1, multi_* null without a topology. No wall time is in it: the same
// runs give the same bytes. Names are valid UTF-8 (see clean_text).
std::string comparison_json(const sim::Comparison& comparison);

}  // namespace weir::report
