// Who starts, in which order, and what becomes of those that cannot.
#include "sched/planner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sched/test_planning.hpp"

namespace weir::sched {
namespace {

using testing::at_second;
using testing::Desk;
using testing::gang_job;
using ::testing::HasSubstr;
using testing::Jobs;
using testing::seconds_long;
using testing::units_of;

TEST(PlannerMake, NamesThePoliciesItKnows) {
  Settings settings;
  settings.order = "lifo";
  EXPECT_EQ(Planner::make(settings).error().message,
            "order \"lifo\" is unknown: expected one of fifo, sjf, gputime, gpus, priority");
  settings = {};
  settings.placement = "worst";
  EXPECT_EQ(Planner::make(settings).error().message,
            "placement \"worst\" is unknown: expected one of weir, firstfit, random, "
            "bestfit, fgd, weir-pack, spread");
  settings = {};
  settings.order_settings.age_per_point = Duration(-1);
  EXPECT_THAT(Planner::make(settings).error().message, HasSubstr("age_per_point = "));
}

TEST(Planner, StartsJobsInOrderWhileTheyFit) {
  Desk desk(units_of({2}));
  desk.submit(gang_job(1, 8));
  desk.submit(gang_job(1, 4));
  desk.submit(gang_job(1, 4));
  desk.submit(gang_job(1, 1));
  EXPECT_EQ(desk.plan(0), (Jobs{1, 2, 3}));
  EXPECT_EQ(desk.planner.pending(), 1U);
  EXPECT_EQ(desk.end(JobId(2), 5), (Jobs{4}));
  EXPECT_EQ(desk.planner.pending(), 0U);
}

TEST(Planner, ALeaseSaysFromWhenToWhenAndHowFarTheGangSpans) {
  Desk desk(units_of({1, 1}));
  Job job = gang_job(2, 8, seconds_long(100));
  job.wish.exclusive = Level::kPod;
  desk.submit(job);
  desk.plan(7);
  const auto& start = std::get<JobStarted>(desk.decisions.front());
  EXPECT_EQ(start.lease.start, at_second(7));
  EXPECT_EQ(start.lease.until, at_second(107));
  EXPECT_EQ(start.lease.spans, Level::kPod);
  EXPECT_EQ(start.lease.exclusive, Level::kPod);
  EXPECT_EQ(start.lease.parts.size(), 2U);
}

TEST(Planner, WithoutBackfillTheFirstInLineHoldsUpAllBehind) {
  Desk desk(units_of({2}));
  desk.submit(gang_job(1, 4));
  desk.submit(gang_job(2, 8));
  desk.submit(gang_job(1, 1));
  EXPECT_EQ(desk.plan(0), (Jobs{1}));
  EXPECT_EQ(desk.plan(1), (Jobs{})) << "nothing has changed";
  desk.submit(gang_job(1, 1));
  EXPECT_EQ(desk.plan(2), (Jobs{})) << "nor may newcomers pass";
  EXPECT_EQ(desk.end(JobId(1), 3), (Jobs{2}));
  EXPECT_EQ(desk.end(JobId(2), 4), (Jobs{3, 4}));
}

TEST(Planner, FollowsTheOrderItIsTold) {
  Settings sjf;
  sjf.order = "sjf";
  Desk desk(units_of({1}), sjf);
  desk.submit(gang_job(1, 8, seconds_long(100)));
  desk.submit(gang_job(1, 8, seconds_long(10)));
  desk.submit(gang_job(1, 8, seconds_long(50)));
  EXPECT_EQ(desk.plan(0), (Jobs{2}));
  EXPECT_EQ(desk.end(JobId(2), 10), (Jobs{3}));
  desk.submit(gang_job(1, 8, seconds_long(1)));
  EXPECT_EQ(desk.end(JobId(3), 60), (Jobs{4})) << "a newcomer may be first in line";
}

TEST(Planner, ACancelledFirstInLineLetsTheNextStart) {
  Desk desk(units_of({1}));
  desk.submit(gang_job(1, 1));
  desk.submit(gang_job(1, 8));
  desk.submit(gang_job(1, 1));
  EXPECT_EQ(desk.plan(0), (Jobs{1}));
  desk.tell(JobCancelled{JobId(2)});
  EXPECT_EQ(desk.plan(1), (Jobs{3}));
}

TEST(Planner, ForgetsJobsCancelledBeforeItEverPlannedThem) {
  Desk desk(units_of({1}));
  desk.submit(gang_job(1, 1));
  desk.submit(gang_job(9, 1));
  desk.tell(JobCancelled{JobId(1)});
  desk.tell(JobCancelled{JobId(2)});
  EXPECT_EQ(desk.plan(0), (Jobs{}));
  EXPECT_TRUE(desk.decisions.empty());
}

TEST(Planner, RefusesWhatTheInventoryCanNeverHold) {
  Desk desk(units_of({2}));
  desk.submit(gang_job(3, 8));
  desk.submit(gang_job(1, 9));
  desk.submit(gang_job(2, 8));
  EXPECT_EQ(desk.plan(0), (Jobs{3}));
  EXPECT_EQ(desk.refused(), (std::map<std::uint64_t, std::string>{
                                {1, "asks 3 nodes; the largest fabric has 2 eligible ones"},
                                {2, "asks 9 GPUs a node; the largest eligible node has 8"}}));
  EXPECT_EQ(desk.state.totals().refused, 2U);
}

TEST(Planner, KeepsTheImpossibleWhereToldToAndStartsItWhenNodesJoin) {
  Settings patient;
  patient.refuse_impossible = false;
  Desk desk(units_of({2}), patient);
  const JobId large = desk.submit(gang_job(3, 8));
  desk.submit(gang_job(1, 8));
  EXPECT_EQ(desk.plan(0), (Jobs{2})) << "the impossible holds nobody up";
  EXPECT_TRUE(desk.refused().empty());
  EXPECT_EQ(desk.planner.pending(), 1U);
  EXPECT_EQ(desk.why(large), "asks 3 nodes; the largest fabric has 2 eligible ones");
  desk.tell(NodeJoined{weir::testing::node_in(0, 2)});
  EXPECT_EQ(desk.plan(1), (Jobs{})) << "possible now, but job 2 runs";
  EXPECT_EQ(desk.why(large),
            "needs 3 free nodes in one fabric; the best has 2 now: 1 more would let it start");
  EXPECT_EQ(desk.end(JobId(2), 2), (Jobs{1}));
}

TEST(Planner, ACancelledImpossibleJobIsForgotten) {
  Settings patient;
  patient.refuse_impossible = false;
  Desk desk(units_of({1}), patient);
  desk.submit(gang_job(2, 8));
  desk.plan(0);
  desk.tell(JobCancelled{JobId(1)});
  EXPECT_EQ(desk.planner.pending(), 0U);
  desk.tell(NodeJoined{weir::testing::node_in(0, 1)});
  EXPECT_EQ(desk.plan(1), (Jobs{}));
}

TEST(Planner, LooksAgainWhenANodeComesBackOrIsGradedBetter) {
  Desk desk(units_of({1}));
  desk.tell(NodeAvailabilityChanged{NodeId(0), Availability::kDrained});
  desk.submit(gang_job(1, 8));
  EXPECT_EQ(desk.plan(0), (Jobs{}));
  desk.tell(NodeGraded{NodeId(0), Grade::kPoor});
  desk.tell(NodeAvailabilityChanged{NodeId(0), Availability::kUp});
  EXPECT_EQ(desk.plan(1), (Jobs{}));
  desk.tell(NodeGraded{NodeId(0), Grade::kGood});
  EXPECT_EQ(desk.plan(2), (Jobs{1}));
}

TEST(Planner, SaysWhyAJobWaits) {
  Desk desk(units_of({2}));
  desk.submit(gang_job(1, 1));
  const JobId first = desk.submit(gang_job(2, 8));
  const JobId behind = desk.submit(gang_job(1, 1));
  desk.plan(0);
  EXPECT_EQ(desk.why(first),
            "needs 2 free nodes in one fabric; the best has 1 now: 1 more would let it start");
  EXPECT_EQ(desk.why(behind), "waits its turn behind job 2, which is first in line");
  EXPECT_EQ(desk.why(JobId(1)), "nothing stands in its way") << "it runs";
  EXPECT_EQ(desk.why(JobId(99)), "nothing stands in its way") << "nobody";
  desk.tell(JobEnded{JobId(1)});
  EXPECT_EQ(desk.why(first), "nothing stands in its way") << "until the next plan; not itself";
}

TEST(Planner, LeavesThePoolAsItWas) {
  Desk desk(units_of({2}), testing::easy());
  desk.submit(gang_job(2, 8));
  desk.submit(gang_job(2, 4));
  const auto before = desk.state.pool().free();
  const auto decisions = desk.planner.plan(desk.state, at_second(0), 1);
  EXPECT_FALSE(decisions.empty());
  EXPECT_EQ(desk.state.pool().free(), before);
  EXPECT_EQ(desk.state.pool().ledger().leases, 0U);
}

}  // namespace
}  // namespace weir::sched
