// Live jobs through the core: what nodes say comes in, commands and ends come out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/test_live.hpp"

namespace weir::core {
namespace {

using state::JobPhase;
using state::JobState;
using testing::a_work;
using testing::at_second;
using ::testing::ElementsAre;
using testing::gang_job;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LiveSite;
using testing::seconds_long;

TEST(LiveJob, StartsRunsAndEndsStepByStep) {
  LiveSite site(2);
  const JobId job = site.submit(2);
  EXPECT_EQ(site.commands(), "start 1.1 on n0, start 1.1 on n1");
  site.running(job, 0);
  EXPECT_EQ(site.state().work(job)->running_since, Instant::far_future());
  site.running(job, 1);
  EXPECT_EQ(site.state().work(job)->running_since, at_second(site.now));
  site.ended(job, 1);
  EXPECT_EQ(site.commands(), "forget 1.1 on n1");
  EXPECT_TRUE(site.runs(job)) << "the lease is held until all its steps have ended";
  site.ended(job, 0);
  EXPECT_EQ(site.commands(), "forget 1.1 on n0");
  ASSERT_EQ(site.finished.size(), 1U);
  EXPECT_EQ(site.finished[0].state, JobState::kCompleted);
  EXPECT_EQ(site.finished[0].reason, "");
  EXPECT_EQ(site.state().find(job), nullptr);
  EXPECT_EQ(site.state().pool().ledger().leases, 0U);
}

TEST(LiveJob, OneBadEndTakesItsGangAlong) {
  LiveSite site(3);
  const JobId job = site.submit(3);
  for (std::uint32_t node = 0; node < 3; ++node) site.running(job, node);
  site.ended(job, 1, EndCause::kExited, 3);
  EXPECT_EQ(site.commands(), "forget 1.1 on n1, end 1.1 on n0, end 1.1 on n2");
  site.ended(job, 0, EndCause::kWithOthers);
  site.ended(job, 2, EndCause::kWithOthers);
  ASSERT_EQ(site.finished.size(), 1U);
  EXPECT_EQ(site.finished[0].state, JobState::kFailed);
  EXPECT_EQ(site.finished[0].exit_code, 3);
  EXPECT_EQ(site.finished[0].reason, "task 0 exited with status 3");
}

struct EndCase {
  const char* what;
  EndCause cause;
  std::int64_t code;
  JobState state;
};

TEST(LiveJob, EndsInTheWordsOfItsTasks) {
  for (const EndCase& one : {
           EndCase{"status", EndCause::kExited, 1, JobState::kFailed},
           EndCase{"signal", EndCause::kSignalled, 11, JobState::kFailed},
           EndCase{"limit", EndCause::kTimeLimit, 15, JobState::kTimeout},
           EndCase{"memory", EndCause::kOutOfMemory, 9, JobState::kOutOfMemory},
           EndCase{"cut off", EndCause::kLeaseEnded, 15, JobState::kNodeFail},
           EndCase{"unseen", EndCause::kUnknown, 0, JobState::kUnknown},
       }) {
    LiveSite site(1);
    const JobId job = site.submit(1);
    site.running(job, 0);
    site.ended(job, 0, one.cause, one.code);
    ASSERT_EQ(site.finished.size(), 1U) << one.what;
    EXPECT_EQ(site.finished[0].state, one.state) << one.what;
  }
}

TEST(LiveJob, ThatCannotStartOnANodeIsRolledBackAndStartsElsewhere) {
  LiveSite site(4);
  const JobId job = site.submit(2);
  ASSERT_THAT(site.nodes_of(job), ElementsAre(0, 1));
  site.running(job, 0);
  site.ended(job, 1, EndCause::kNotStarted, 0, "no such directory");
  EXPECT_EQ(site.commands(), "forget 1.1 on n1, end 1.1 on n0");
  site.ended(job, 0, EndCause::kWithOthers);
  EXPECT_EQ(site.commands(), "forget 1.1 on n0, start 1.2 on n0, start 1.2 on n2");
  EXPECT_TRUE(site.finished.empty());
  site.running(job, 0);
  site.running(job, 2);
  site.ended(job, 0);
  site.ended(job, 2);
  EXPECT_EQ(site.finished.back().state, JobState::kCompleted);
  EXPECT_EQ(site.finished.back().attempts, 2U);
}

TEST(LiveJob, ThatStartsNowhereStopsWithItsReason) {
  LiveSite site(8);
  const JobId job = site.submit(1);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(site.runs(job));
    site.ended(job, site.nodes_of(job)[0], EndCause::kNotStarted, 0, "no such program: trian");
  }
  ASSERT_EQ(site.finished.size(), 1U);
  EXPECT_EQ(site.finished[0].state, JobState::kFailed);
  EXPECT_EQ(site.finished[0].reason,
            "task 0 could not be started anywhere: no such program: trian");
  EXPECT_EQ(site.finished[0].attempts, 3U);
}

TEST(LiveJob, DoesNotWaitForNodesThatDoNotExist) {
  LiveSite site(2);
  const JobId job = site.submit(2);
  site.ended(job, 1, EndCause::kNotStarted, 0, "no such user");
  site.ended(job, 0, EndCause::kWithOthers);
  EXPECT_EQ(site.finished.size(), 1U) << "a gang of two, and one of two nodes left";
}

TEST(LiveJob, OfTheSameShapeStartsWhereAnotherCouldNot) {
  LiveSite site(2);
  const JobId first = site.submit(1);
  const JobId second = site.submit(1);
  const JobId third = site.submit(1);
  site.ended(first, 0, EndCause::kNotStarted, 0, "no such directory");
  EXPECT_FALSE(site.runs(first)) << "n1 is taken, and it could not start on n0";
  EXPECT_TRUE(site.runs(third));
  EXPECT_THAT(site.nodes_of(third), ElementsAre(0));
  site.ended(second, 1);
  EXPECT_THAT(site.nodes_of(first), ElementsAre(1));
}

TEST(LiveJob, IsCancelledPendingOrRunning) {
  LiveSite site(1);
  const JobId runs = site.submit(1);
  const JobId waits = site.submit(1);
  site.turn({JobCancelled{waits}});
  ASSERT_EQ(site.finished.size(), 1U);
  EXPECT_EQ(site.finished[0].id, waits);
  EXPECT_EQ(site.finished[0].state, JobState::kCancelled);
  EXPECT_EQ(site.finished[0].started, Instant::far_future());
  site.running(runs, 0);
  site.turn({JobCancelled{runs}});
  EXPECT_EQ(site.commands(), "end 1.1 on n0");
  site.turn({JobCancelled{runs}});
  EXPECT_EQ(site.commands(), "") << "it is told once";
  site.ended(runs, 0, EndCause::kCancelled, 15);
  EXPECT_EQ(site.finished.back().state, JobState::kCancelled);
}

TEST(LiveJob, WaitsWhileItIsHeldAndUntilItsBegin) {
  LiveSite site(1);
  Work work = a_work();
  work.rules.held = true;
  work.rules.begin = at_second(site.now + 100);
  const JobId job = site.submit(1, work);
  EXPECT_EQ(site.state().next_wake(), at_second(site.now + 99));
  site.turn({JobReleased{job}});
  EXPECT_FALSE(site.runs(job));
  site.turn({TimePassed{}}, 98);
  EXPECT_TRUE(site.runs(job));
  EXPECT_EQ(site.state().next_wake(), Instant::far_future());
}

TEST(LiveJob, IsHeldInTheQueueButNotWhileItRuns) {
  LiveSite site(1);
  const JobId runs = site.submit(1);
  const JobId waits = site.submit(1);
  site.turn({JobHeld{waits}});
  site.turn({JobHeld{runs}});
  ASSERT_EQ(site.last.rejected.size(), 1U);
  EXPECT_THAT(site.last.rejected[0].error.message, HasSubstr("cancel or requeue it"));
  site.ended(runs, 0);
  EXPECT_FALSE(site.runs(waits));
  site.turn({JobReleased{waits}});
  EXPECT_TRUE(site.runs(waits));
}

TEST(LiveJob, FollowsOthersAsItsDependenciesSay) {
  for (const bool goes_well : {true, false}) {
    LiveSite site(4);
    const JobId first = site.submit(1);
    std::vector<JobId> after;
    for (const DependencyKind kind :
         {DependencyKind::kAfterOk, DependencyKind::kAfterAny, DependencyKind::kAfterNotOk}) {
      Work work = a_work();
      work.rules.after = {{first, kind}};
      after.push_back(site.submit(1, work));
      EXPECT_FALSE(site.runs(after.back()));
    }
    site.ended(first, 0, EndCause::kExited, goes_well ? 0 : 1);
    EXPECT_EQ(site.runs(after[0]), goes_well);
    EXPECT_TRUE(site.runs(after[1]));
    EXPECT_EQ(site.runs(after[2]), !goes_well);
    // Afterwards: at once or never.
    Work work = a_work();
    work.rules.after = {{first, DependencyKind::kAfterOk}};
    const JobId late = site.submit(1, work);
    EXPECT_EQ(late.is_none(), !goes_well);
    if (!goes_well) {
      EXPECT_EQ(site.last.rejected[0].error.message,
                "depends on job 1, which has ended badly: it would never start");
    }
  }
}

TEST(LiveJob, DependsOnJobsThatExistOnly) {
  LiveSite site(1);
  Work work = a_work();
  work.rules.after = {{JobId(77), DependencyKind::kAfterAny}};
  EXPECT_TRUE(site.submit(1, work).is_none());
  EXPECT_THAT(site.last.rejected[0].error.message, HasSubstr("depends on job 77: no such job"));
}

TEST(LiveJob, IsTriedAgainAsItsRulesSay) {
  LiveSite site(1);
  Work work = a_work();
  work.rules.retries = 1;
  work.rules.retry_on_failure = true;
  const JobId job = site.submit(1, work);
  site.running(job, 0);
  site.ended(job, 0, EndCause::kExited, 1);
  EXPECT_EQ(site.commands(), "forget 1.1 on n0, start 1.2 on n0");
  site.running(job, 0);
  site.ended(job, 0, EndCause::kExited, 1);
  ASSERT_EQ(site.finished.size(), 1U) << "one retry was allowed";
  EXPECT_EQ(site.finished[0].attempts, 2U);
}

TEST(LiveJob, IsRequeuedByItsUser) {
  LiveSite site(1);
  const JobId job = site.submit(1);
  site.running(job, 0);
  site.turn({JobRequeued{job}});
  EXPECT_EQ(site.commands(), "end 1.1 on n0");
  site.ended(job, 0, EndCause::kWithOthers);
  EXPECT_EQ(site.commands(), "forget 1.1 on n0, start 1.2 on n0");
  EXPECT_TRUE(site.finished.empty());
}

TEST(LiveJob, HasNoOtherEndThanItsNodesTell) {
  LiveSite site(1);
  const JobId job = site.submit(1);
  site.turn({JobEnded{job}});
  ASSERT_EQ(site.last.rejected.size(), 1U);
  EXPECT_THAT(site.last.rejected[0].error.message, HasSubstr("its nodes say when it ends"));
}

TEST(LiveNode, ThatIsNotConnectedGetsNothing) {
  LiveSite site(2);
  site.turn({AgentLost{NodeId(0), 1}});
  const JobId job = site.submit(1);
  EXPECT_THAT(site.nodes_of(job), ElementsAre(1));
  const JobId other = site.submit(1);
  EXPECT_FALSE(site.runs(other));
  site.connect(0, 2);
  EXPECT_TRUE(site.runs(other));
}

TEST(LiveNode, StaysDrainedOverItsSessions) {
  LiveSite site(1);
  site.turn({NodeAvailabilityChanged{NodeId(0), Availability::kDrained}});
  site.turn({AgentLost{NodeId(0), 1}});
  site.connect(0, 2);
  EXPECT_FALSE(site.runs(site.submit(1)));
  site.turn({NodeAvailabilityChanged{NodeId(0), Availability::kUp}});
  EXPECT_TRUE(site.runs(JobId(1)));
}

TEST(LiveNode, ThatComesBackIsToldWhatItMissed) {
  LiveSite site(3);
  const JobId starting = site.submit(1);
  const JobId running = site.submit(1);
  const JobId ending = site.submit(1);
  site.running(running, 1);
  site.running(ending, 2);
  for (std::uint32_t node = 0; node < 3; ++node) site.turn({AgentLost{NodeId(node), 1}});
  site.turn({JobCancelled{ending}});
  site.connect(0, 2);
  EXPECT_EQ(site.commands(), "start 1.1 on n0") << "it never heard of it";
  site.connect(1, 2, "boot-1", {site.report(running, StepPhase::kRunning)});
  EXPECT_EQ(site.commands(), "");
  site.connect(2, 2, "boot-1", {site.report(ending, StepPhase::kRunning)});
  EXPECT_EQ(site.commands(), "end 3.1 on n2");
  EXPECT_TRUE(site.runs(running));
  EXPECT_TRUE(site.runs(starting));
}

TEST(LiveNode, EndsThatItKeptAreTakenWhenItComesBack) {
  LiveSite site(1);
  const JobId job = site.submit(1);
  site.running(job, 0);
  site.turn({AgentLost{NodeId(0), 1}});
  StepReport end = site.report(job, StepPhase::kEnded, {{0, EndCause::kExited, 0, ""}});
  site.connect(0, 2, "boot-1", {end});
  EXPECT_EQ(site.commands(), "forget 1.1 on n0");
  EXPECT_EQ(site.finished.back().state, JobState::kCompleted);
  // Told once more, it is forgotten once more.
  site.turn({StepReported{NodeId(0), end}});
  EXPECT_EQ(site.commands(), "forget 1.1 on n0");
  EXPECT_EQ(site.finished.size(), 1U);
}

TEST(LiveNode, ThatForgotARunningStepLeavesItsEndUnknown) {
  LiveSite site(1);
  const JobId job = site.submit(1);
  site.running(job, 0);
  site.turn({AgentLost{NodeId(0), 1}});
  site.connect(0, 2);
  ASSERT_EQ(site.finished.size(), 1U);
  EXPECT_EQ(site.finished[0].state, JobState::kUnknown);
}

TEST(LiveNode, EndsStepsOfThePast) {
  LiveSite site(1);
  const JobId job = site.submit(1);
  StepReport old = site.report(job, StepPhase::kRunning);
  old.step.attempt = 9;
  site.turn({StepReported{NodeId(0), old}});
  EXPECT_EQ(site.commands(), "end 1.9 on n0");
  StepReport forged = site.report(job, StepPhase::kRunning);
  forged.token += 1;
  site.turn({StepReported{NodeId(0), forged}});
  EXPECT_EQ(site.commands(), "end 1.1 on n0");
}

TEST(LiveNode, AnotherBootProvesThatNothingLives) {
  LiveSite site(2);
  Work work = a_work();
  work.rules.retries = 1;
  const JobId job = site.submit(1, work);
  site.running(job, 0);
  site.turn({AgentLost{NodeId(0), 1}});
  site.turn({TimePassed{}}, 100'000);
  EXPECT_THAT(site.nodes_of(job), ElementsAre(0)) << "without proof it stays where it is";
  site.connect(0, 1, "boot-2");
  EXPECT_TRUE(site.runs(job));
  EXPECT_EQ(site.state().work(job)->attempt, 2U);
}

TEST(LiveNode, SessionsOfThePastAreRefused) {
  LiveSite site(1);
  site.connect(0, 1, "boot-2");
  EXPECT_TRUE(site.last.rejected.empty());
  site.connect(0, 7, "boot-1");
  EXPECT_EQ(site.last.rejected.size(), 1U) << "of an earlier boot";
  site.connect(0, 1, "boot-2");
  EXPECT_EQ(site.last.rejected.size(), 1U) << "doubled";
  site.turn({AgentLost{NodeId(0), 7}});
  EXPECT_EQ(site.last.rejected.size(), 1U);
  EXPECT_TRUE(site.state().agent(NodeId(0)).connected);
}

TEST(LiveNode, AnOperatorMayProveItDead) {
  LiveSite site(2);
  Work work = a_work();
  work.rules.retries = 1;
  const JobId job = site.submit(1, work);
  site.turn({NodeProvedDead{NodeId(0)}});
  EXPECT_EQ(site.last.rejected.size(), 1U) << "its agent is connected";
  site.turn({AgentLost{NodeId(0), 1}});
  site.turn({NodeProvedDead{NodeId(0)}});
  EXPECT_THAT(site.nodes_of(job), ElementsAre(1));
}

TEST(LiveNode, EndLeasesGoElsewhereOnlyWhenAllWitnessesFindItSilent) {
  LiveSite site(5);
  Work work = a_work(OnPartition::kEnd);
  work.rules.retries = 1;
  const JobId job = site.submit(1, work);
  site.running(job, 0);
  const auto& witnesses = site.state().agent(NodeId(0)).witnesses;
  ASSERT_THAT(witnesses, ElementsAre(NodeId(1), NodeId(2), NodeId(3)));
  site.turn({AgentLost{NodeId(0), 1}});
  EXPECT_EQ(site.state().next_wake(), Instant::far_future()) << "nobody knows";
  site.turn({WitnessSaid{NodeId(1), NodeId(0), true}});
  site.turn({WitnessSaid{NodeId(2), NodeId(0), true}});
  EXPECT_EQ(site.state().next_wake(), Instant::far_future()) << "one still hears it, or not us";
  site.turn({WitnessSaid{NodeId(3), NodeId(0), true}});
  EXPECT_EQ(site.state().next_wake(), at_second(site.now + 70)) << "deadline and margin";
  // A witness that is cut off, too, makes the difference between lost and cut off together.
  site.turn({AgentLost{NodeId(2), 1}});
  EXPECT_EQ(site.state().next_wake(), Instant::far_future());
  site.turn({TimePassed{}}, 1000);
  EXPECT_THAT(site.nodes_of(job), ElementsAre(0));
  site.connect(2, 2);
  EXPECT_EQ(site.state().next_wake(), Instant::far_future()) << "said in its session of before";
  site.turn({WitnessSaid{NodeId(2), NodeId(0), true}});
  site.turn({TimePassed{}}, 69);
  EXPECT_THAT(site.nodes_of(job), ElementsAre(0));
  site.turn({TimePassed{}}, 1);
  EXPECT_EQ(site.state().work(job)->attempt, 2U);
  EXPECT_NE(site.nodes_of(job)[0], 0U);
}

TEST(LiveNode, WitnessesOfBeforeCountUntilTheNodeKnowsTheNewOnes) {
  LiveSite site(6);
  const JobId job = site.submit(1, a_work(OnPartition::kEnd));
  site.running(job, 0);
  site.turn({AgentLost{NodeId(1), 1}});
  site.turn({AgentLost{NodeId(0), 1}});
  site.connect(0, 2, "boot-1", {site.report(job, StepPhase::kRunning)});
  EXPECT_THAT(site.state().agent(NodeId(0)).witnesses,
              ElementsAre(NodeId(2), NodeId(3), NodeId(4)));
  site.turn({AgentLost{NodeId(0), 2}});
  for (std::uint32_t witness = 2; witness < 5; ++witness)
    site.turn({WitnessSaid{NodeId(witness), NodeId(0), true}});
  EXPECT_EQ(site.state().next_wake(), Instant::far_future()) << "it may still ask n1";
}

TEST(LiveNode, ContinueLeasesWaitForProof) {
  LiveSite site(2);
  const JobId job = site.submit(1);
  site.running(job, 0);
  site.turn({AgentLost{NodeId(0), 1}});
  site.turn({WitnessSaid{NodeId(1), NodeId(0), true}});
  EXPECT_EQ(site.state().next_wake(), Instant::far_future());
  site.turn({TimePassed{}}, 100'000);
  EXPECT_TRUE(site.runs(job));
}

TEST(LiveController, ThatStartsAgainKnowsNoSessions) {
  LiveSite site(2);
  const JobId job = site.submit(2);
  site.turn({ControllerStarted{seconds_long(60), seconds_long(10)}});
  EXPECT_EQ(site.state().epoch(), 2U);
  EXPECT_FALSE(site.state().agent(NodeId(0)).connected);
  EXPECT_TRUE(site.runs(job));
}

TEST(LiveController, PlansTheSameAgainAndRecoversTheSame) {
  LiveSite site(4);
  Work retry = a_work();
  retry.rules.retries = 2;
  retry.rules.retry_on_failure = true;
  const JobId first = site.submit(2, retry);
  const JobId second = site.submit(3, retry);
  site.ended(first, 0, EndCause::kExited, 1);
  site.ended(first, 1, EndCause::kWithOthers);
  site.turn({AgentLost{NodeId(3), 1}});
  site.submit(1);
  site.turn({JobHeld{second}});
  ASSERT_TRUE(site.recorder.engine.state().pool().audit());
  const auto again = verify(site.recorder.bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->difference, std::nullopt);
  const auto recovered = replay(site.recorder.bytes);
  ASSERT_TRUE(recovered) << recovered.error().message;
  EXPECT_EQ(testing::state_bytes(*recovered), testing::state_bytes(site.state()));
}

}  // namespace
}  // namespace weir::core
