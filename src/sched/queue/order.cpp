#include "sched/queue/order.hpp"

#include <array>

#include "base/limits.hpp"

namespace weir::sched {
namespace {

using state::JobRecord;

std::int64_t fifo_rank(const JobRecord& /*job*/, const OrderSettings& /*settings*/) { return 0; }

std::int64_t sjf_rank(const JobRecord& job, const OrderSettings& /*settings*/) {
  return job.job.estimate.count();
}

// Inside 63 bits: limits.hpp bounds both factors.
std::int64_t gputime_rank(const JobRecord& job, const OrderSettings& /*settings*/) {
  static_assert(limits::kLongestDuration.count() <= INT64_MAX / limits::kGpus);
  const Gang& gang = job.job.gang;
  const std::uint64_t gpus = std::min<std::uint64_t>(gang.gpus(), limits::kGpus);
  return job.job.estimate.count() * static_cast<std::int64_t>(gpus) +
         job.job.estimate.count() * gang.per_node.gpu_milli / kWholeMilli;
}

// The rule without any prediction, to compare predictors with (notes on duration-based ordering).
std::int64_t gpus_rank(const JobRecord& job, const OrderSettings& /*settings*/) {
  return static_cast<std::int64_t>(job.job.gang.milli_gpus());
}

std::int64_t priority_rank(const JobRecord& job, const OrderSettings& settings) {
  std::int64_t lead = 0;
  if (__builtin_mul_overflow(job.job.priority, settings.age_per_point.count(), &lead))
    return job.job.priority > 0 ? INT64_MIN : INT64_MAX;
  std::int64_t rank = 0;
  if (__builtin_sub_overflow(job.submitted.microseconds(), lead, &rank))
    return lead > 0 ? INT64_MIN : INT64_MAX;
  return rank;
}

}  // namespace

std::span<const OrderEntry> orders() {
  static constexpr std::array<OrderEntry, 5> kOrders{{
      {"fifo", "first come, first served", fifo_rank},
      {"sjf", "shortest estimate first", sjf_rank},
      {"gputime", "smallest estimate x GPUs first", gputime_rank},
      {"gpus", "fewest GPUs first", gpus_rank},
      {"priority", "highest priority first, waiting raises it", priority_rank},
  }};
  return kOrders;
}

}  // namespace weir::sched
