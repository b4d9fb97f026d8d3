#include "sim/simulation.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "core/replay.hpp"
#include "support/site.hpp"

namespace weir::sim {
namespace {

using testing::at_second;
using ::testing::HasSubstr;
using testing::seconds_long;

TraceJob traced(std::int64_t submit, std::int64_t runtime, std::uint64_t gpus) {
  TraceJob job;
  job.submit = at_second(submit);
  job.runtime = seconds_long(runtime);
  job.gpus = gpus;
  job.job.estimate = job.runtime;
  return job;
}

RunResult run(const SimulatedPool& pool, const Trace& trace,
              const SimulationOptions& options = {}) {
  auto result = simulate(pool, trace, options);
  EXPECT_TRUE(result) << result.error().message;
  return std::move(*result);
}

// Start of each job in seconds, -1 for refused ones.
std::vector<std::int64_t> starts(const RunResult& result) {
  std::vector<std::int64_t> seconds;
  for (const JobOutcome& job : result.outcomes)
    seconds.push_back(job.refused ? -1 : job.start.microseconds() / 1'000'000);
  return seconds;
}

using Starts = std::vector<std::int64_t>;

TEST(Simulation, RunsEachJobForItsRuntimeAsSoonAsItFits) {
  const RunResult result =
      run(flat_pool(1, 8), {traced(0, 100, 8), traced(10, 20, 4), traced(11, 30, 4)});
  EXPECT_EQ(starts(result), (Starts{0, 100, 100}));
  EXPECT_EQ(result.outcomes[1].end, at_second(120));
  EXPECT_EQ(result.jobs, 3U);
  EXPECT_EQ(result.order, "fifo");
  EXPECT_EQ(result.placement, "weir");
  EXPECT_EQ(result.backfill, "none");
}

TEST(Simulation, WhatEndsAtAnInstantIsFreeForWhatArrivesThen) {
  EXPECT_EQ(starts(run(flat_pool(1, 8), {traced(0, 10, 8), traced(10, 10, 8)})), (Starts{0, 10}));
}

TEST(Simulation, AllOfAnInstantIsKnownBeforeAnythingOfItStarts) {
  SimulationOptions sjf;
  sjf.settings.order = "sjf";
  EXPECT_EQ(starts(run(flat_pool(1, 8), {traced(5, 100, 8), traced(5, 10, 8)}, sjf)),
            (Starts{15, 5}));
}

TEST(Simulation, TakesATraceThatIsNotSortedAndAnswersInItsOrder) {
  EXPECT_EQ(starts(run(flat_pool(1, 8), {traced(50, 10, 8), traced(0, 60, 8)})), (Starts{60, 0}));
}

TEST(Simulation, JobsOfNoRuntimeStartAndEndAtOneInstantOneAfterTheOther) {
  const RunResult result =
      run(flat_pool(1, 8), {traced(5, 0, 8), traced(5, 0, 8), traced(5, 7, 8), traced(5, 0, 8)});
  EXPECT_EQ(starts(result), (Starts{5, 5, 5, 12}));
  EXPECT_EQ(result.outcomes[0].end, at_second(5));
  EXPECT_EQ(result.outcomes[3].end, at_second(12));
}

TEST(Simulation, AnEmptyTraceGivesEmptyFigures) {
  const RunResult result = run(flat_pool(1, 8), {});
  EXPECT_EQ(result.jobs, 0U);
  EXPECT_EQ(result.utilisation, 0);
}

TEST(Simulation, CountsWhatThePoolCanNeverHoldAsRefused) {
  const RunResult result =
      run(flat_pool(2, 8), {traced(0, 10, 17), traced(0, 10, 16), traced(0, 10, 99)});
  EXPECT_EQ(starts(result), (Starts{-1, 0, -1}));
  EXPECT_EQ(result.refused, 2U);
  EXPECT_EQ(result.jobs, 1U);
  EXPECT_EQ(result.outcomes[0].refusal, "asks 3 nodes; the largest fabric has 2 eligible ones");
}

TEST(Simulation, CountsWhatWaitsForEverAsRefusedWithTheReason) {
  SimulatedPool pool = flat_pool(2, 8);
  pool.nodes[1].grade = Grade::kBad;
  const RunResult result = run(pool, {traced(0, 10, 8), traced(1, 10, 16), traced(2, 10, 8)});
  EXPECT_EQ(starts(result), (Starts{0, -1, -1}));
  EXPECT_EQ(result.outcomes[1].refusal,
            "needs 2 nodes graded watch or better; the best fabric has 1");
  EXPECT_EQ(result.outcomes[2].refusal, "waits its turn behind job 2, which is first in line");
  EXPECT_EQ(result.jobs, 1U);
}

TEST(Simulation, AJobThatNoPoolCouldTakeIsAnErrorThatNamesIt) {
  TraceJob job = traced(7, 10, 0);
  job.job.gang = {0, {8, 0, 0}, {}};
  const auto result = simulate(flat_pool(1, 8), {traced(0, 1, 1), job}, {});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("1970-01-01 00:00:07"));
  EXPECT_THAT(result.error().message, HasSubstr("nodes = 0: expected 1 to"));
}

TEST(Simulation, UnknownPoliciesAndBadPoolsAreErrors) {
  SimulationOptions options;
  options.settings.order = "best";
  EXPECT_FALSE(simulate(flat_pool(1, 8), {}, options));
  SimulatedPool twins = flat_pool(2, 8);
  twins.nodes[1].name = twins.nodes[0].name;
  EXPECT_FALSE(simulate(twins, {traced(0, 1, 1)}, {}));
}

TEST(SimulatedPool, TheUsualNodeIsTheKindThatMostNodesHave) {
  SimulatedPool pool = flat_pool(3, 8);
  pool.nodes[0].kind.total.gpus = 4;
  EXPECT_EQ(pool.gpus_per_node(), 8U);
  EXPECT_EQ(pool.gpus(), 20U);
  for (Node& node : pool.nodes) node.kind.total.gpus = 0;
  EXPECT_EQ(pool.gpus_per_node(), 1U) << "never zero: a count of GPUs is divided by it";
}

TEST(SimulatedPool, ACountOfGpusBecomesWholeNodesAndATail) {
  const RunResult result = run(flat_pool(3, 8), {traced(0, 10, 20), traced(0, 10, 3)});
  EXPECT_EQ(result.outcomes[0].nodes, 3U);
  EXPECT_EQ(result.outcomes[0].gpus, 20U);
  EXPECT_EQ(result.outcomes[1].nodes, 1U);
  EXPECT_EQ(starts(result), (Starts{0, 0})) << "the second fits beside the tail of the first";
}

Trace whole_second_trace(std::uint64_t seed) {
  Rng rng(seed);
  Trace trace;
  std::int64_t second = 0;
  for (int i = 0; i < 200; ++i) {
    second += static_cast<std::int64_t>(rng.below(20));
    trace.push_back(traced(second, static_cast<std::int64_t>(rng.below(300)), 1 + rng.below(24)));
  }
  return trace;
}

TEST(Rounds, OfOneSecondChangeNothingOnATraceOfWholeSeconds) {
  for (const std::string order : {"fifo", "sjf", "gputime"}) {
    SimulationOptions events;
    events.settings.order = order;
    SimulationOptions rounds = events;
    rounds.round = seconds_long(1);
    const Trace trace = whole_second_trace(3);
    const RunResult first = run(flat_pool(4, 8), trace, events);
    const RunResult second = run(flat_pool(4, 8), trace, rounds);
    EXPECT_EQ(starts(first), starts(second));
    EXPECT_EQ(first.journal_hash, second.journal_hash);
  }
}

TEST(Rounds, DelayStartsToTheNextMultipleAndLetJobsEndOnTime) {
  SimulationOptions options;
  options.round = seconds_long(60);
  const RunResult result =
      run(flat_pool(1, 8), {traced(0, 30, 8), traced(61, 30, 8), traced(120, 5, 8)}, options);
  EXPECT_EQ(starts(result), (Starts{0, 120, 180}));
  EXPECT_EQ(result.outcomes[1].end, at_second(150)) << "ends are exact";
}

TEST(Simulation, TheSameInputGivesTheSameHashAndTheSeedDecidesForRandomPlacement) {
  const auto site = testing::even_site(1, 2, 2, 3);
  const SimulatedPool pool{site.locality, site.nodes};
  SimulationOptions options;
  options.settings.placement = "random";
  const Trace trace = whole_second_trace(5);
  const RunResult first = run(pool, trace, options);
  EXPECT_EQ(first.journal_hash, run(pool, trace, options).journal_hash);
  options.settings.seed = 1;
  EXPECT_NE(first.journal_hash, run(pool, trace, options).journal_hash);
}

TEST(Simulation, WritesAJournalThatVerifies) {
  std::vector<std::uint8_t> journal;
  SimulationOptions options;
  options.settings.backfill = sched::Backfill::kEasy;
  options.journal = [&](ByteSpan frame) -> Status {
    journal.insert(journal.end(), frame.begin(), frame.end());
    return {};
  };
  const RunResult result = run(flat_pool(4, 8), whole_second_trace(7), options);
  EXPECT_EQ(result.backfill, "easy");
  const auto verification = core::verify(journal);
  ASSERT_TRUE(verification);
  EXPECT_EQ(verification->difference, std::nullopt);
  EXPECT_EQ(verification->hash, result.journal_hash);
}

TEST(Simulation, CountsTheUnitsAndPodsAJobTouches) {
  const auto site = testing::even_site(1, 2, 2, 2);
  const SimulatedPool pool{site.locality, site.nodes};
  const RunResult result = run(pool, {traced(0, 10, 16), traced(0, 10, 32), traced(0, 10, 12),
                                      traced(100, 10, 64), traced(200, 10, 8)});
  const auto touched = [&](std::size_t row) {
    return std::pair(result.outcomes[row].units, result.outcomes[row].pods);
  };
  EXPECT_EQ(touched(0), std::pair(1U, 1U));
  EXPECT_EQ(touched(1), std::pair(2U, 1U));
  EXPECT_EQ(touched(2), std::pair(1U, 1U)) << "one node and a tail";
  EXPECT_EQ(touched(3), std::pair(4U, 2U));
  EXPECT_EQ(touched(4), std::pair(1U, 1U));
  EXPECT_EQ(result.multi_node_jobs, 4U);
  EXPECT_EQ(result.multi_unit_jobs, 0.5);
  EXPECT_EQ(result.multi_pod_jobs, 0.25);
  EXPECT_EQ(result.series.busy_gpus_by_unit.size(), 4U);
}

TEST(Simulation, ATailThatComesBackToAnEarlierUnitCountsItOnce) {
  const auto site = testing::even_site(1, 1, 2, 2);
  SimulatedPool pool{site.locality, site.nodes};
  for (const std::size_t lame : {0U, 1U}) pool.nodes[lame].kind.total.gpus = 4;
  // Unit 1 holds the two whole nodes, only unit 0 has something for the tail.
  TraceJob job = traced(0, 10, 0);
  job.job.gang = {2, {8, 0, 0}, {2, 0, 0}};
  const RunResult result = run(pool, {job});
  EXPECT_EQ(result.outcomes[0].units, 2U);
  EXPECT_EQ(result.outcomes[0].pods, 1U);
  EXPECT_EQ(result.outcomes[0].gpus, 18U);
}

TEST(Simulation, TellsItsProgressNowAndThen) {
  Trace trace;
  for (int i = 0; i < 600; ++i) trace.push_back(traced(i, 1, 1));
  std::vector<std::uint64_t> told;
  SimulationOptions options;
  options.progress = [&](std::uint64_t done) { told.push_back(done); };
  run(flat_pool(1, 8), trace, options);
  EXPECT_EQ(told, (std::vector<std::uint64_t>{256, 512}));
}

}  // namespace
}  // namespace weir::sim
