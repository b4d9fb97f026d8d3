// PaiReader: the job list of the simulator that Alibaba published beside its PAI log of 2020.
//
//   submit_time,duration,job_id,num_inst,num_gpu,user,group,…
//
// submit_time and duration are in seconds, num_gpu the GPUs of one of num_inst instances, which may
// be a part of one. One instance with a part of a GPU asks for that share; else a job asks for its
// GPUs in all, rounded up to whole ones, and those rounded are counted. The virtual cluster is the
// group. Jobs without GPUs are left out and counted. The estimate of a job is its duration, an
// oracle. Source: alibaba/clusterdata, cluster-trace-gpu-v2020/simulator.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "formats/csv_log.hpp"

namespace weir {

class PaiReader : public CsvLogReader {
 public:
  explicit PaiReader(TraceFilter filter = {});

  Status line(std::string_view text, std::size_t number);
  // As CsvLogReader; also tells how many jobs were rounded up.
  [[nodiscard]] std::string left_out() const;

 private:
  std::size_t rounded_ = 0;
};

}  // namespace weir
