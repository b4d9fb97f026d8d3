#include "store/history.hpp"

#include <tuple>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace weir::store {

Status check_limit(const HistoryFilter& filter) {
  if (filter.limit == 0 || filter.limit > limits::kHistoryRows)
    return over_limit(fmt::format("a page of {} finished jobs: between 1 and {} are expected",
                                  filter.limit, limits::kHistoryRows));
  return {};
}

bool selects(const HistoryFilter& filter, const FinishedJob& job) {
  return (filter.user.empty() || filter.user == job.user) &&
         (filter.state.empty() || filter.state == job.state) &&
         (filter.name.empty() || filter.name == job.name) &&
         (!filter.job || *filter.job == job.job) && (!filter.since || job.ended >= *filter.since) &&
         (!filter.until || job.ended < *filter.until);
}

bool is_behind(const HistoryPlace& place, const HistoryPlace& other) {
  return std::tuple(place.ended, place.job) < std::tuple(other.ended, other.job);
}

HistoryPlace first_place(const HistoryFilter& filter) {
  // Ids begin at 1, so nothing that ends at `until` is behind job 0. The last id that SQLite can
  // hold is above every real one.
  const HistoryPlace end = filter.until ? HistoryPlace{*filter.until, JobId(0)}
                                        : HistoryPlace{Instant::far_future(), JobId(INT64_MAX)};
  return filter.after && is_behind(*filter.after, end) ? *filter.after : end;
}

}  // namespace weir::store
