// VenusReader: a slice of SenseTime's Helios log, cluster Venus, September 2020, as published with
// fleetsim (felivalencia3/mini-compute-simulator).
//
//   # comment
//   job_id,user,tenant,class,submit_time,num_chips,chip_type,num_nodes,duration_s,…,final_status
//   765563,uH3om,vcvGl,finetune,5835000000,128,,16,24.0,24.0,CANCELED
//
// submit_time is in microseconds from 2020-09-01, duration_s in seconds, tenant the virtual
// cluster. Columns are found by name; class, chip_type, num_nodes (which follows from num_chips),
// walltime_limit_s (equal to the duration) and final_status are not read: jobs that failed or were
// cancelled held their GPUs too. The estimate of a job is its duration, an oracle.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "formats/csv_log.hpp"

namespace weir {

class VenusReader : public CsvLogReader {
 public:
  explicit VenusReader(TraceFilter filter = {});

  // Lines that begin with '#' say nothing either.
  Status line(std::string_view text, std::size_t number);
};

}  // namespace weir
