#include "formats/trace_filter.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace weir {
namespace {

// Enough to recognise a mistyped name; a log may have thousands.
constexpr std::size_t kNamesShown = 20;

}  // namespace

TraceBuilder::TraceBuilder(TraceFilter filter, std::size_t most_jobs)
    : filter_(std::move(filter)), most_jobs_(most_jobs) {}

Status TraceBuilder::add(TraceJob job) {
  first_ = seen_ == 0 ? job.submit : std::min(first_, job.submit);
  last_ = seen_ == 0 ? job.submit : std::max(last_, job.submit);
  ++seen_;
  if (taken_.empty() && vcs_.size() < kNamesShown) vcs_.insert(job.vc);
  if (!filter_.vc.empty() && job.vc != filter_.vc) return {};
  vc_seen_ = true;
  if (filter_.from && job.submit < *filter_.from) return {};
  if (filter_.to && job.submit >= *filter_.to) return {};
  if (taken_.size() >= most_jobs_)
    return over_limit(
        fmt::format("more than {} jobs: select fewer by VC or time", with_thousands(most_jobs_)));
  taken_.push_back(std::move(job));
  return {};
}

void TraceBuilder::leave_out(std::string_view which) {
  const auto found = left_out_.find(which);
  if (found != left_out_.end()) {
    ++found->second;
  } else {
    left_out_.emplace(which, 1);
  }
}

std::string TraceBuilder::left_out() const {
  std::string text;
  for (const auto& [which, count] : left_out_)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", with_thousands(count), which);
  return text;
}

Result<Trace> TraceBuilder::finish() {
  if (taken_.empty() && seen_ > 0) return nothing_taken();
  return std::move(taken_);
}

std::unexpected<Error> TraceBuilder::nothing_taken() const {
  if (!vc_seen_)
    return bad_input(fmt::format("no job has the VC {}; there are {}{}", quoted(filter_.vc),
                                 fmt::join(vcs_, ", "), vcs_.size() < kNamesShown ? "" : ", …"));
  return bad_input(
      fmt::format("no job was submitted in the time asked for; the log goes from {} to {}",
                  format_instant(first_), format_instant(last_)));
}

}  // namespace weir
