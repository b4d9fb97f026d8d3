#include "report/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_sample.hpp"

namespace weir::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::run;
using testing::sample;
using testing::without_topology;

TEST(Verdict, ComparesOrdersAndPlacements) {
  EXPECT_THAT(
      verdict(sample()),
      ElementsAre("sjf finishes jobs 17.1 × sooner than fifo on average: after 16m 40s instead of "
                  "4h 45m under weir.",
                  "With sjf, under weir 4.0 % of multi-node jobs cross units and 61 % under "
                  "firstfit."));
}

TEST(Verdict, IsAgainstFifoEvenWhereAnotherIsSlower) {
  auto comparison = sample();
  comparison.runs = {run("priority", "weir", 9000, 0.1), run("fifo", "weir", 1030, 0.1),
                     run("sjf", "weir", 1000, 0.1)};
  EXPECT_THAT(verdict(comparison)[0], HasSubstr("sjf finishes jobs 2.9 % sooner than fifo"));
}

TEST(Verdict, IsAgainstTheSlowestWhereFifoIsBest) {
  auto comparison = sample();
  comparison.runs = {run("fifo", "weir", 1000, 0.1), run("sjf", "weir", 2000, 0.1),
                     run("gputime", "weir", 3000, 0.1)};
  EXPECT_THAT(verdict(comparison)[0], HasSubstr("fifo finishes jobs 3.0 × sooner than gputime"));
}

TEST(Verdict, SaysWhenNothingDiffers) {
  auto comparison = sample();
  comparison.runs = {run("fifo", "weir", 1000, 0.1), run("sjf", "weir", 1000, 0.1)};
  EXPECT_EQ(verdict(comparison)[0], "All orders finish jobs equally soon on average.");
  EXPECT_EQ(verdict(comparison)[1],
            "Under fifo / weir, 10 % of its 200 multi-node jobs cross units, 5.0 % cross pods.");
}

TEST(Verdict, WithoutTopologyComparesPlacementsByTime) {
  EXPECT_EQ(verdict(without_topology(sample()))[1],
            "weir finishes jobs 0.99 % sooner than firstfit on average, both under sjf.");
}

TEST(Verdict, OneRunIsDescribed) {
  auto comparison = without_topology(sample());
  comparison.runs.resize(1);
  EXPECT_THAT(verdict(comparison),
              ElementsAre("Jobs finish 4h 45m after their submission on average and wait 4h 43m of "
                          "that; half of them finish within 2h 22m."));
}

TEST(Verdict, CountsRefusedJobs) {
  auto comparison = sample();
  for (auto& result : comparison.runs) result.refused = 3;
  EXPECT_EQ(verdict(comparison).back(),
            "3 jobs could never start on this pool and are in none of the figures.");
  comparison.runs[0].refused = 1;
  EXPECT_THAT(verdict(comparison).back(), HasSubstr("Between 1 and 3 jobs could never start"));
}

TEST(Verdict, NoGangCanCross) {
  auto comparison = sample();
  for (auto& result : comparison.runs) result.multi_node_jobs = 0;
  EXPECT_EQ(verdict(comparison)[1], "No job runs on several nodes, so none can cross units.");
}

TEST(Verdict, EmptyWithoutRuns) { EXPECT_TRUE(verdict({}).empty()); }

}  // namespace
}  // namespace weir::report
