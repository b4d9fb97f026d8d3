#include "sched/queue/order.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "support/site.hpp"

namespace weir::sched {
namespace {

using state::JobRecord;
using testing::at_second;
using testing::gang_job;
using testing::seconds_long;

JobRecord job_of(std::uint64_t id, std::int64_t submitted, const Job& job) {
  JobRecord record;
  record.id = JobId(id);
  record.submitted = at_second(submitted);
  record.job = job;
  return record;
}

const OrderEntry& order(std::string_view name) {
  return *std::ranges::find(orders(), name, &OrderEntry::name);
}

// The ids of the jobs, first in line first.
std::vector<std::uint64_t> line(std::string_view name, const std::vector<JobRecord>& jobs,
                                const OrderSettings& settings = {}) {
  std::vector<OrderKey> keys;
  for (const JobRecord& job : jobs)
    keys.push_back({order(name).rank(job, settings), job.submitted, job.id});
  std::ranges::sort(keys);
  std::vector<std::uint64_t> ids;
  for (const OrderKey& key : keys) ids.push_back(key.job.value());
  return ids;
}

using Ids = std::vector<std::uint64_t>;

TEST(Orders, EachHasANameOfItsOwnAndASummary) {
  Ids seen;
  for (const OrderEntry& entry : orders()) {
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(std::ranges::count(orders(), entry.name, &OrderEntry::name), 1);
  }
  EXPECT_EQ(orders().size(), 5U);
}

class Line : public ::testing::Test {
 protected:
  const std::vector<JobRecord> jobs_{
      job_of(1, 30, gang_job(4, 8, seconds_long(100))),
      job_of(2, 10, gang_job(1, 1, seconds_long(1000))),
      job_of(3, 20, gang_job(1, 8, seconds_long(10))),
  };
};

TEST_F(Line, FifoGoesByTimeOfSubmission) { EXPECT_EQ(line("fifo", jobs_), (Ids{2, 3, 1})); }
TEST_F(Line, SjfGoesByEstimate) { EXPECT_EQ(line("sjf", jobs_), (Ids{3, 1, 2})); }
TEST_F(Line, GputimeGoesByEstimateTimesGpus) {
  EXPECT_EQ(line("gputime", jobs_), (Ids{3, 2, 1})) << "80, 1000 and 3200 GPU seconds";
}
TEST_F(Line, GpusGoesByTheNumberOfGpus) { EXPECT_EQ(line("gpus", jobs_), (Ids{2, 3, 1})); }

TEST(TiesInLine, GoByTimeOfSubmissionThenById) {
  const std::vector<JobRecord> jobs{job_of(2, 5, gang_job(1, 1)), job_of(1, 5, gang_job(1, 1)),
                                    job_of(3, 4, gang_job(1, 1))};
  for (const OrderEntry& entry : orders()) EXPECT_EQ(line(entry.name, jobs), (Ids{3, 1, 2}));
}

Job with_priority(std::int64_t priority) {
  Job job = gang_job(1, 1);
  job.priority = priority;
  return job;
}

TEST(PriorityOrder, APointOfPriorityWeighsAsMuchAsItsShareOfWaiting) {
  const OrderSettings minute{seconds_long(60)};
  // Submitted 119 s later with two points more: two minutes ahead.
  EXPECT_EQ(
      line("priority", {job_of(1, 0, with_priority(0)), job_of(2, 119, with_priority(2))}, minute),
      (Ids{2, 1}));
  EXPECT_EQ(
      line("priority", {job_of(1, 0, with_priority(0)), job_of(2, 121, with_priority(2))}, minute),
      (Ids{1, 2}));
  EXPECT_EQ(
      line("priority", {job_of(1, 0, with_priority(-1)), job_of(2, 59, with_priority(0))}, minute),
      (Ids{2, 1}));
}

TEST(PriorityOrder, WithoutAgeingPriorityMeansNothingAndFifoIsLeft) {
  EXPECT_EQ(line("priority", {job_of(1, 0, with_priority(0)), job_of(2, 1, with_priority(9))},
                 {Duration(0)}),
            (Ids{1, 2}));
}

TEST(PriorityOrder, StaysAtTheEndsOfItsRange) {
  EXPECT_EQ(
      line("priority", {job_of(1, 0, with_priority(INT64_MIN)),
                        job_of(2, 9, with_priority(INT64_MAX)), job_of(3, 5, with_priority(0))}),
      (Ids{2, 3, 1}));
  JobRecord last = job_of(1, 0, with_priority(-1));
  last.submitted = Instant::far_future();
  EXPECT_EQ(order("priority").rank(last, {}), INT64_MAX);
  last.submitted = Instant(INT64_MIN);
  last.job.priority = 1;
  EXPECT_EQ(order("priority").rank(last, {}), INT64_MIN);
}

TEST(GputimeOrder, TheLargestJobOfTheLongestDurationStaysInRange) {
  const JobRecord job =
      job_of(1, 0, gang_job(limits::kNodes, limits::kGpusPerNode, limits::kLongestDuration));
  EXPECT_GT(order("gputime").rank(job, {}), limits::kLongestDuration.count());
}

}  // namespace
}  // namespace weir::sched
