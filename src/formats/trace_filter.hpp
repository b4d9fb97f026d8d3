// TraceFilter: which jobs of a log a reader keeps; TraceBuilder applies it for all readers alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "formats/trace.hpp"

namespace weir {

struct TraceFilter {
  std::string vc;               // empty: all
  std::optional<Instant> from;  // submitted at or after
  std::optional<Instant> to;    // submitted before

  [[nodiscard]] bool active() const { return !vc.empty() || from || to; }
};

class TraceBuilder {
 public:
  explicit TraceBuilder(TraceFilter filter, std::size_t most_jobs = limits::kTraceJobs);

  // Takes the job when the filter does. Errors: more than `most_jobs` taken (kLimit).
  Status add(TraceJob job);

  // Counts a row that is no job for a pool of GPUs; `which` ends the sentence "left out: 12 …".
  void leave_out(std::string_view which);
  // "12 without GPUs, 3 that never started"; empty when nothing was left out.
  [[nodiscard]] std::string left_out() const;

  // The jobs taken, in the order they came. Errors: the filter took none of the jobs that there
  // are; the message says which VCs and which time there are instead.
  Result<Trace> finish();

 private:
  [[nodiscard]] std::unexpected<Error> nothing_taken() const;

  TraceFilter filter_;
  std::size_t most_jobs_;
  Trace taken_;
  std::size_t seen_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> left_out_;
  std::set<std::string> vcs_;  // the first few names seen, for the message
  bool vc_seen_ = false;       // the VC asked for occurs
  Instant first_;
  Instant last_;
};

}  // namespace weir
