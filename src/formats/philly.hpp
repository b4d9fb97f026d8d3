// PhillyReader: the CSV of Microsoft's Philly jobs (2017) as published with AdaptDL and Sia.
//
//   timestamp,duration,num_gpus,gpu_time,cluster
//   2017-10-09 07:01:55,66.0,1,66.0,11cb48
//
// timestamp is the submission in naive local time, duration in seconds, cluster the virtual
// cluster. gpu_time (duration x GPUs) is not read. The log has no names, users or limits: the
// estimate of a job is its duration, an oracle. Rows are in no order of time; the trace keeps them
// as they stand.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "formats/csv_log.hpp"

namespace weir {

class PhillyReader : public CsvLogReader {
 public:
  explicit PhillyReader(TraceFilter filter = {});

  Status line(std::string_view text, std::size_t number);
};

}  // namespace weir
