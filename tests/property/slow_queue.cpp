#include "property/slow_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace weir::slow {
namespace {

std::int64_t points(const Waiting& waiting, const std::string& order, Duration age_per_point) {
  const std::int64_t estimate = waiting.job.estimate.count();
  const auto gpus = static_cast<std::int64_t>(waiting.job.gang.gpus());
  const std::int64_t share = waiting.job.gang.per_node.gpu_milli;
  if (order == "sjf") return estimate;
  if (order == "gputime") return estimate * gpus + estimate * share / 1000;
  if (order == "gpus") return gpus * 1000 + share;
  // Waiting for `age_per_point` is worth one point.
  if (order == "priority")
    return waiting.submitted.microseconds() - waiting.job.priority * age_per_point.count();
  return 0;
}

}  // namespace

std::vector<JobId> in_order(const std::map<JobId, Waiting>& waiting, const std::string& order,
                            Duration age_per_point) {
  std::vector<std::tuple<std::int64_t, Instant, JobId>> sorted;
  for (const auto& [id, one] : waiting)
    sorted.emplace_back(points(one, order, age_per_point), one.submitted, id);
  std::sort(sorted.begin(), sorted.end());
  std::vector<JobId> ids;
  for (const auto& [rank, submitted, id] : sorted) ids.push_back(id);
  return ids;
}

}  // namespace weir::slow
