// PhillyJsonReader: Microsoft's Philly log of 2017 as first published, `cluster_job_log`: a JSON
// array of jobs.
//
//   [ { "status": "Pass", "vc": "ee9e8c", "jobid": "application_…", "user": "d0c1",
//       "submitted_time": "2017-10-09 07:01:55",
//       "attempts": [ { "start_time": "…", "end_time": "…",
//                       "detail": [ { "ip": "m398", "gpus": ["gpu0", "gpu1"] } ] } ] }, … ]
//
// Times are local and naive; where one is missing there is null or "None". A job holds its GPUs as
// long as all its attempts together, and as many as its largest attempt. Jobs without a submission
// time, without a whole attempt or without GPUs are left out and counted. The estimate of a job is
// its run time, an oracle. Keys that are not named here are not read.
// Source: msr-fiddle/philly-traces.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "formats/trace.hpp"
#include "formats/trace_filter.hpp"

namespace weir {

class PhillyJsonReader {
 public:
  explicit PhillyJsonReader(TraceFilter filter = {});
  ~PhillyJsonReader();
  PhillyJsonReader(PhillyJsonReader&&) noexcept;
  PhillyJsonReader& operator=(PhillyJsonReader&&) = delete;
  PhillyJsonReader(const PhillyJsonReader&) = delete;
  PhillyJsonReader& operator=(const PhillyJsonReader&) = delete;

  // The next bytes of the text, cut anywhere. Errors begin with "LINE: ".
  Status bytes(std::string_view chunk);
  // REQUIRES: no call of bytes() after it. Errors: the text ends too early; the filter takes no
  // job.
  Result<Trace> finish();
  [[nodiscard]] std::string left_out() const;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace weir
