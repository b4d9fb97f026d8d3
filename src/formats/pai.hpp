// PaiReader: the job list of the simulator that Alibaba published beside its PAI log of 2020.
//
//   submit_time,duration,job_id,num_inst,num_gpu,user,group,…
//
// submit_time and duration are in seconds, num_gpu the GPUs of one of num_inst instances, which may
// be a part of one. One instance with a part of a GPU asks for that share; else a job asks for its
// GPUs in all, rounded up to whole ones, and those rounded are counted. The virtual cluster is the group. Jobs without GPUs are left out
// and counted. The estimate of a job is its duration, an oracle.
// Source: alibaba/clusterdata, cluster-trace-gpu-v2020/simulator.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "formats/csv.hpp"
#include "formats/trace.hpp"
#include "formats/trace_filter.hpp"

namespace weir {

class PaiReader {
 public:
  explicit PaiReader(TraceFilter filter = {});

  // As PhillyReader::line.
  Status line(std::string_view text, std::size_t number);
  // REQUIRES: no call of line() after it. Errors: no header; the filter takes no job.
  Result<Trace> finish();
  // Also tells how many jobs were rounded up.
  [[nodiscard]] std::string left_out() const;

 private:
  CsvTable table_;
  TraceBuilder jobs_;
  std::size_t rounded_ = 0;
};

}  // namespace weir
