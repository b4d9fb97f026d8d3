#include "sim/figures.hpp"

#include <gtest/gtest.h>

#include "support/site.hpp"

namespace weir::sim {
namespace {

using testing::at_second;
using testing::seconds_long;

std::vector<Duration> seconds_of(std::initializer_list<std::int64_t> values) {
  std::vector<Duration> result;
  for (const std::int64_t value : values) result.push_back(seconds_long(value));
  return result;
}

TEST(Distribution, OfNothingIsZero) {
  const Distribution none = distribution({});
  EXPECT_EQ(none.mean, 0);
  EXPECT_EQ(none.p50, 0);
  EXPECT_EQ(none.p99, 0);
}

TEST(Distribution, PercentilesAreValuesByNearestRank) {
  const Distribution one = distribution(seconds_of({7}));
  EXPECT_EQ(one.mean, 7);
  EXPECT_EQ(one.p50, 7);
  EXPECT_EQ(one.p99, 7);

  const Distribution four = distribution(seconds_of({40, 10, 30, 20}));
  EXPECT_EQ(four.mean, 25);
  EXPECT_EQ(four.p50, 20) << "the second of four, not a mean of two";
  EXPECT_EQ(four.p95, 40);

  std::vector<Duration> hundred;
  for (std::int64_t i = 100; i >= 1; --i) hundred.push_back(seconds_long(i));
  EXPECT_EQ(distribution(hundred).p50, 50);
  EXPECT_EQ(distribution(hundred).p95, 95);
  EXPECT_EQ(distribution(hundred).p99, 99);
  hundred.push_back(seconds_long(101));
  EXPECT_EQ(distribution(hundred).p99, 100) << "the 99.99th is the hundredth";
}

JobOutcome outcome(std::int64_t submit, std::int64_t start, std::int64_t end, std::uint64_t gpus,
                   std::uint32_t nodes = 1) {
  JobOutcome job;
  job.submit = at_second(submit);
  job.start = at_second(start);
  job.end = at_second(end);
  job.gpus = gpus;
  job.nodes = nodes;
  return job;
}

JobOutcome refused_outcome() {
  JobOutcome job;
  job.submit = at_second(-1000);
  job.refused = true;
  job.nodes = 9;
  job.units = 9;
  return job;
}

RunResult figures_of(std::vector<JobOutcome> outcomes, const PoolSize& pool,
                     const std::vector<UnitShare>& shares = {}, std::uint32_t steps = 4) {
  RunResult result;
  result.outcomes = std::move(outcomes);
  fill_figures(pool, shares, steps, result);
  return result;
}

TEST(Figures, WaitAndCompletionAreOfFinishedJobsOnly) {
  const RunResult result =
      figures_of({outcome(0, 0, 100, 8), outcome(0, 50, 60, 4), refused_outcome()}, {16, 0});
  EXPECT_EQ(result.jobs, 2U);
  EXPECT_EQ(result.refused, 1U);
  EXPECT_EQ(result.completion.mean, 80);
  EXPECT_EQ(result.wait.mean, 25);
  EXPECT_EQ(result.wait.p50, 0);
  EXPECT_EQ(result.wait.p99, 50);
}

TEST(Figures, UtilisationIsTheGpuTimeUsedBetweenFirstSubmissionAndLastEnd) {
  const RunResult result =
      figures_of({outcome(0, 0, 100, 8), outcome(0, 50, 60, 4), refused_outcome()}, {16, 0});
  EXPECT_DOUBLE_EQ(result.utilisation, (100 * 8 + 10 * 4) / (100.0 * 16));
}

TEST(Figures, WithoutTimeGpusOrJobsUtilisationIsZero) {
  EXPECT_EQ(figures_of({}, {16, 0}).utilisation, 0);
  EXPECT_EQ(figures_of({outcome(5, 5, 5, 8)}, {16, 0}).utilisation, 0);
  EXPECT_EQ(figures_of({outcome(0, 0, 9, 0)}, {0, 0}).utilisation, 0);
  EXPECT_EQ(figures_of({refused_outcome()}, {16, 0}).utilisation, 0);
  EXPECT_TRUE(figures_of({refused_outcome()}, {16, 0}).series.busy_gpus.empty());
}

TEST(Figures, SharesBeyondOneUnitAreOfJobsOnSeveralNodes) {
  JobOutcome wide = outcome(0, 0, 10, 16, 2);
  wide.units = 2;
  wide.pods = 1;
  JobOutcome wider = wide;
  wider.pods = 2;
  JobOutcome inside = outcome(0, 0, 10, 16, 2);
  inside.units = inside.pods = 1;
  JobOutcome small = outcome(0, 0, 10, 1, 1);
  small.units = small.pods = 1;
  const RunResult result =
      figures_of({wide, wider, inside, inside, small, refused_outcome()}, {64, 2});
  EXPECT_EQ(result.multi_node_jobs, 4U);
  EXPECT_EQ(result.multi_unit_jobs, 0.5);
  EXPECT_EQ(result.multi_pod_jobs, 0.25);
}

TEST(Figures, WithoutATopologyNothingIsSaidOfUnits) {
  const RunResult result = figures_of({outcome(0, 0, 10, 16, 2)}, {64, 0});
  EXPECT_EQ(result.multi_unit_jobs, std::nullopt);
  EXPECT_EQ(result.multi_pod_jobs, std::nullopt);
  EXPECT_TRUE(result.series.busy_gpus_by_unit.empty());
  EXPECT_EQ(figures_of({outcome(0, 0, 10, 8, 1)}, {64, 2}).multi_unit_jobs, 0.0);
}

TEST(Series, AreMeansOverEqualSteps) {
  // 40 s in four steps of ten: 8 GPUs for all of it, 4 more in [15, 25), after waiting from 0.
  const RunResult result = figures_of({outcome(0, 0, 40, 8), outcome(0, 15, 25, 4)}, {16, 0});
  EXPECT_EQ(result.series.begin, at_second(0));
  EXPECT_EQ(result.series.step, seconds_long(10));
  EXPECT_EQ(result.series.busy_gpus, (std::vector<double>{8, 10, 10, 8}));
  EXPECT_EQ(result.series.queued_jobs, (std::vector<double>{1, 0.5, 0, 0}));
}

TEST(Series, AJobInsideOneStepCountsByItsShareOfIt) {
  const RunResult result = figures_of({outcome(0, 0, 40, 0), outcome(0, 11, 13, 10)}, {16, 0});
  EXPECT_EQ(result.series.busy_gpus, (std::vector<double>{0, 2, 0, 0}));
}

TEST(Series, TheirIntegralIsTheGpuTimeAlsoWhereStepsDoNotDivideTheTime) {
  const RunResult result = figures_of(
      {outcome(3, 3, 47, 5), outcome(10, 12, 31, 3), outcome(20, 33, 41, 2)}, {16, 0}, {}, 7);
  double sum = 0;
  for (const double mean : result.series.busy_gpus) sum += mean * seconds(result.series.step);
  EXPECT_NEAR(sum, 44 * 5 + 19 * 3 + 8 * 2, 1e-3);
}

TEST(Series, SplitTheGpusOfAJobByTheUnitsItLiesIn) {
  const RunResult result =
      figures_of({outcome(0, 0, 40, 12, 2), outcome(0, 20, 40, 4)}, {16, 2},
                 {{0, DomainId(0), 8}, {0, DomainId(1), 4}, {1, DomainId(1), 4}});
  EXPECT_EQ(result.series.busy_gpus_by_unit,
            (std::vector<std::vector<double>>{{8, 8, 8, 8}, {4, 4, 8, 8}}));
}

}  // namespace
}  // namespace weir::sim
