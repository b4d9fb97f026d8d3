// SiaReader: the job lists of Sia (SOSP'23) and Pollux (OSDI'21).
//
//   name,time,application,num_replicas,batch_size
//
// time is the submission in seconds, num_replicas the GPUs a user would ask for. The lists have no
// durations, since their simulators compute progress from the model. Here a job runs as long as its
// size class says, over its GPUs. Classes by the paper's table of models (Pollux, table 1): small
// 0.1-1 GPU hours, medium 1-10 and large 10-100, each at its geometric middle; extra large from 100
// on, at 100. That makes 3.7 GPU hours a job in all public lists; Sia reports 3.0 to 4.8. The load
// is theirs, then, and the completion times are no one else's.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "formats/csv_log.hpp"

namespace weir {

class SiaReader : public CsvLogReader {
 public:
  explicit SiaReader(TraceFilter filter = {});

  Status line(std::string_view text, std::size_t number);
};

}  // namespace weir
