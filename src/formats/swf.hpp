// SwfReader: the Standard Workload Format of the Parallel Workloads Archive: 18 numbers a line, -1
// where nothing is known, lines of ';' are comments; more columns behind them are not read.
//
//   job submit wait run procs cpu mem req_procs req_time req_mem status user group exe queue …
//
// These logs are of processors: one processor counts as one GPU, so simulate them on a pool of as
// many "GPUs". The gang is what was requested, else what was used; the estimate is the requested
// time, else the run time. The virtual cluster is the queue, the name the job's number. Submission
// times count from the header's UnixStartTime, else from 1970. Jobs without run time or processors
// are left out and counted.
// Source: https://www.cs.huji.ac.il/labs/parallel/workload/swf.html
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"
#include "formats/trace.hpp"
#include "formats/trace_filter.hpp"

namespace weir {

class SwfReader {
 public:
  explicit SwfReader(TraceFilter filter = {}) : jobs_(std::move(filter)) {}

  // As the readers of CSV logs (csv_log.hpp).
  Status line(std::string_view text, std::size_t number);
  // REQUIRES: no call of line() after it. Errors: the filter takes no job.
  Result<Trace> finish() { return jobs_.finish(); }
  [[nodiscard]] std::string left_out() const { return jobs_.left_out(); }

 private:
  Status comment(std::string_view text);

  TraceBuilder jobs_;
  Instant start_;
};

}  // namespace weir
