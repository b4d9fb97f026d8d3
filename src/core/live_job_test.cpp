// Live jobs through the core: what nodes say comes in, commands and ends come out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/test_live.hpp"

namespace weir::core {
namespace {

using state::JobState;
using testing::a_work;
using testing::at_second;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::LiveSite;

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
  EXPECT_EQ(site.finished[0].reason, "task 1 exited with status 3");
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

}  // namespace
}  // namespace weir::core
