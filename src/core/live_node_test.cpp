// Agents through the core: they come and go, are reconciled, lost, or proved dead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/test_live.hpp"

namespace weir::core {
namespace {

using state::JobState;
using testing::a_work;
using testing::at_second;
using ::testing::ElementsAre;
using testing::LiveSite;
using testing::seconds_long;

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

class LostNode : public ::testing::Test {
 protected:
  LostNode() : site(6) {
    Work work = a_work(OnPartition::kEnd);
    work.rules.retries = 1;
    job = site.submit(1, work);
    site.running(job, 0);
    lost_at = site.now + 1;
    site.turn({AgentLost{NodeId(0), 1}});
  }
  // Turns to the instant at which the core wants to be woken.
  void wake() {
    const std::int64_t at = site.state().next_wake().microseconds() / 1'000'000;
    site.turn({TimePassed{}}, at - site.now);
  }
  void says(std::uint32_t witness, std::int64_t unheard_seconds) {
    site.turn({WitnessSaid{NodeId(witness), NodeId(0), site.state().agent(NodeId(0)).query,
                           seconds_long(unheard_seconds)}},
              0);
  }
  [[nodiscard]] std::vector<std::uint32_t> asked() const {
    std::vector<std::uint32_t> nodes;
    for (const Command& command : site.last.commands)
      if (const auto* ask = std::get_if<AskWitnessOf>(&command))
        nodes.push_back(ask->witness.value());
    return nodes;
  }
  [[nodiscard]] bool elsewhere() const { return site.state().work(job)->attempt == 2; }

  LiveSite site;
  JobId job;
  std::int64_t lost_at = 0;
};

TEST_F(LostNode, IsAskedAboutAfterDeadlineAndMargin) {
  EXPECT_EQ(site.state().next_wake(), at_second(lost_at + 70));
  wake();
  EXPECT_THAT(asked(), ElementsAre(1, 2, 3));
  EXPECT_FALSE(elsewhere());
}

TEST_F(LostNode, LosesItsEndLeasesWhenAllWitnessesHeardNothingForSoLong) {
  wake();
  says(1, 70);
  says(2, 500);
  EXPECT_FALSE(elsewhere());
  says(3, 70);
  EXPECT_TRUE(elsewhere());
  EXPECT_THAT(site.nodes_of(job), ElementsAre(1));
  EXPECT_EQ(site.state().next_wake(), Instant::far_future());
}

TEST_F(LostNode, IsAskedAboutAgainWhenAWitnessHasHeardIt) {
  wake();
  says(1, 70);
  says(2, 70);
  says(3, 30);
  EXPECT_FALSE(elsewhere());
  EXPECT_EQ(site.state().next_wake(), at_second(site.now + 40)) << "70 after it was heard last";
  wake();
  EXPECT_THAT(asked(), ElementsAre(1, 2, 3));
  says(1, 110);
  says(2, 110);
  says(3, 70);
  EXPECT_TRUE(elsewhere());
}

TEST_F(LostNode, AnswersThatComeLateProveLess) {
  wake();
  says(1, 70);
  says(2, 70);
  site.now += 5;
  says(3, 70);
  EXPECT_FALSE(elsewhere()) << "it may have heard the node in the last 65 s before it was asked";
  wake();
  says(1, 200);
  says(2, 200);
  site.now += 5;
  says(3, 75);
  EXPECT_TRUE(elsewhere());
}

TEST_F(LostNode, AnswersToAnotherQuestionProveNothing) {
  wake();
  const std::uint64_t before = site.state().agent(NodeId(0)).query;
  wake();
  says(1, 500);
  says(2, 500);
  site.turn({WitnessSaid{NodeId(3), NodeId(0), before, seconds_long(500)}}, 0);
  EXPECT_EQ(site.last.rejected.size(), 1U);
  EXPECT_FALSE(elsewhere());
}

TEST_F(LostNode, StaysWhereItIsWhileAWitnessIsCutOffToo) {
  site.turn({AgentLost{NodeId(2), 1}});
  wake();
  EXPECT_THAT(asked(), ElementsAre(1, 3));
  says(1, 500);
  says(3, 500);
  EXPECT_FALSE(elsewhere());
  site.connect(2, 2);
  wake();
  says(1, 500);
  says(3, 500);
  says(2, 500);
  EXPECT_TRUE(elsewhere());
}

TEST_F(LostNode, ThatComesBackKeepsItsSteps) {
  wake();
  says(1, 500);
  says(2, 500);
  site.connect(0, 2, "boot-1", {site.report(job, StepPhase::kRunning)});
  says(3, 500);
  EXPECT_EQ(site.last.rejected.size(), 1U);
  EXPECT_EQ(site.state().work(job)->attempt, 1U);
  EXPECT_TRUE(site.runs(job));
}

TEST(LiveNode, WitnessesOfBeforeCountUntilTheNodeKnowsTheNewOnes) {
  for (const bool known : {false, true}) {
    LiveSite site(6);
    const JobId job = site.submit(1, a_work(OnPartition::kEnd));
    site.running(job, 0);
    site.turn({AgentLost{NodeId(1), 1}});
    site.turn({AgentLost{NodeId(0), 1}});
    site.connect(0, 2, "boot-1", {site.report(job, StepPhase::kRunning)});
    const state::AgentRecord& agent = site.state().agent(NodeId(0));
    EXPECT_THAT(agent.witnesses, ElementsAre(NodeId(2), NodeId(3), NodeId(4)));
    if (known) site.turn({WitnessesKnown{NodeId(0), agent.welcome}});
    site.turn({AgentLost{NodeId(0), 2}});
    site.turn({TimePassed{}}, 100);
    for (std::uint32_t witness = 2; witness < 5; ++witness)
      site.turn({WitnessSaid{NodeId(witness), NodeId(0), agent.query, seconds_long(500)}}, 0);
    EXPECT_EQ(site.runs(job), !known) << "without its word, it may still ask n1";
  }
}

TEST_F(LostNode, IsWaitedForAnewByANewController) {
  wake();
  says(1, 70);
  says(2, 70);
  site.turn({ControllerStarted{seconds_long(60), seconds_long(10)}});
  says(3, 70);
  EXPECT_EQ(site.last.rejected.size(), 1U);
  EXPECT_EQ(site.state().next_wake(), at_second(site.now + 70));
}

TEST(LiveNode, WithoutWitnessesIsLostAtTheDeadline) {
  LiveSite site(1);
  const JobId job = site.submit(1, a_work(OnPartition::kEnd));
  site.running(job, 0);
  site.turn({AgentLost{NodeId(0), 1}});
  site.turn({TimePassed{}}, 69);
  EXPECT_TRUE(site.runs(job));
  site.turn({TimePassed{}}, 1);
  ASSERT_EQ(site.finished.size(), 1U);
  EXPECT_EQ(site.finished[0].state, JobState::kUnknown);
}

TEST(LiveNode, ContinueLeasesWaitForProof) {
  LiveSite site(2);
  const JobId job = site.submit(1);
  site.running(job, 0);
  site.turn({AgentLost{NodeId(0), 1}});
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
