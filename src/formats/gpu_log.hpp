// The GPU job logs of SenseTime (Helios, 2020) and Shanghai AI Laboratory (Acme, 2023), as their
// owners publish them. Columns are found by name; those that are read:
//
//   Helios cluster_log.csv   job_id,user,vc,gpu_num,submit_time,start_time,duration
//   Acme trace_*.csv         job_id,user,type,gpu_num,submit_time,start_time,duration
//
// Times are naive; an offset behind them ("+08:00") is the same in the whole log and not read.
// duration is in seconds. The virtual cluster of an Acme job is its type (pretrain, evaluation, …).
// Jobs without GPUs and jobs that never started are left out and counted. The estimate of a job is
// its duration, an oracle.
// Source: the READMEs of S-Lab-System-Group/HeliosData and InternLM/AcmeTrace.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "formats/csv_log.hpp"

namespace weir {

class GpuLogReader : public CsvLogReader {
 public:
  Status line(std::string_view text, std::size_t number);

 protected:
  GpuLogReader(std::string_view vc_column, TraceFilter filter);
};

class HeliosReader : public GpuLogReader {
 public:
  explicit HeliosReader(TraceFilter filter = {});
};

class AcmeReader : public GpuLogReader {
 public:
  explicit AcmeReader(TraceFilter filter = {});
};

}  // namespace weir
