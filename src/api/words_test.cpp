#include "api/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/live_state.hpp"

namespace weir::api {
namespace {

using ::testing::HasSubstr;
using weir::testing::at_second;
using weir::testing::even_site;
using weir::testing::gang_job;
using weir::testing::LiveState;
using weir::testing::plain_work;
using weir::testing::seconds_long;

class Words : public ::testing::Test {
 protected:
  Words() : live(even_site(1, 1, 1, 2)) {}

  JobId submit(const Rules& rules = {}) {
    Work work = plain_work();
    work.rules = rules;
    return live.submit(gang_job(2, 8), work);
  }
  void report(JobId job, std::uint32_t node, StepPhase phase, std::vector<TaskEnd> ends = {}) {
    const state::WorkRecord& work = *live.state.work(job);
    live.apply(StepReported{NodeId(node), {{job, work.attempt}, work.token, phase, ends}});
  }
  [[nodiscard]] std::string_view state_of(JobId job) const {
    return job_state(live.state, *live.state.find(job));
  }
  [[nodiscard]] Why why(JobId job, const Reason& reason = {}) const {
    return why_waiting(live.state, *live.state.find(job), reason, at_second(live.now));
  }
  [[nodiscard]] std::string_view node(std::uint32_t id) const {
    return node_state(live.state, NodeId(id));
  }

  LiveState live;
};

TEST_F(Words, StatesOfAJobFromItsSubmissionToItsEnd) {
  const JobId job = submit();
  EXPECT_EQ(state_of(job), "PENDING");
  live.start(job, {0, 1}, 0xff);
  EXPECT_EQ(state_of(job), "CONFIGURING");
  report(job, 0, StepPhase::kRunning);
  EXPECT_EQ(state_of(job), "CONFIGURING") << "a gang runs once all of it does";
  report(job, 1, StepPhase::kRunning);
  EXPECT_EQ(state_of(job), "RUNNING");
  EXPECT_EQ(why(job).word, "None");
  live.apply(JobCancelled{job});
  EXPECT_EQ(state_of(job), "COMPLETING");
}

TEST_F(Words, AJobWithoutAProgramRunsFromItsStart) {
  live.apply(JobSubmitted{gang_job(1, 8)});
  const JobId job = live.state.last_job();
  live.start(job, {0}, 0xff);
  EXPECT_EQ(state_of(job), "RUNNING");
}

TEST_F(Words, WhatAJobWaitsForItselfComesBeforeThePlannersReason) {
  const Reason busy{ReasonCode::kBusy, Level::kUnit, 2, 1, ""};
  const JobId first = submit();
  EXPECT_EQ(why(first, busy).word, "Resources");
  EXPECT_EQ(why(first, busy).sentence, sentence(busy));
  EXPECT_EQ(why(first).word, "None");

  Rules rules;
  rules.begin = at_second(100);
  EXPECT_EQ(why(submit(rules), busy).word, "BeginTime");
  EXPECT_EQ(why(submit(rules), busy).sentence, "starts not before 1970-01-01 00:01:40 UTC");
  rules.after = {{first, DependencyKind::kAfterOk}, {first, DependencyKind::kAfterAny}};
  const JobId dependent = submit(rules);
  EXPECT_EQ(why(dependent, busy).word, "Dependency");
  EXPECT_EQ(why(dependent, busy).sentence, "waits for job 1 to end well, and 1 more");
  rules.held = true;
  EXPECT_EQ(why(submit(rules), busy).word, "JobHeldUser");

  live.apply(JobCancelled{first});
  EXPECT_EQ(why(dependent, busy).word, "DependencyNeverSatisfied");
  EXPECT_EQ(why(dependent, busy).sentence,
            "waits for job 1 to end well, which has ended otherwise: cancel it");
}

TEST_F(Words, EveryReasonHasAWordOfSlurm) {
  const JobId job = submit();
  const auto word = [&](ReasonCode code) { return why(job, {code, Level::kUnit, 2, 1, "x"}).word; };
  EXPECT_EQ(word(ReasonCode::kBehind), "Priority");
  EXPECT_EQ(word(ReasonCode::kGrade), "ReqNodeNotAvail");
  EXPECT_EQ(word(ReasonCode::kBusyShare), "Resources");
  for (std::uint32_t i = 1; i < kReasonCodes; ++i) {
    const Reason reason{static_cast<ReasonCode>(i), Level::kUnit, 2, 1, "x"};
    EXPECT_EQ(word(reason.code) == "BadConstraints", reason.is_hard()) << i;
    EXPECT_NE(word(reason.code), "None") << i;
  }
}

TEST_F(Words, TheEndOfAJobHasItsReason) {
  const auto ended = [](state::JobState state, std::int64_t code = 0, std::int64_t signal = 0) {
    state::Finished finished;
    finished.state = state;
    finished.reason = "because";
    finished.exit_code = code;
    finished.signal = signal;
    EXPECT_EQ(why_ended(finished).sentence, "because");
    return why_ended(finished).word;
  };
  EXPECT_EQ(ended(state::JobState::kCompleted), "None");
  EXPECT_EQ(ended(state::JobState::kCancelled), "None");
  EXPECT_EQ(ended(state::JobState::kFailed, 3), "NonZeroExitCode");
  EXPECT_EQ(ended(state::JobState::kFailed, 0, 9), "RaisedSignal");
  EXPECT_EQ(ended(state::JobState::kFailed), "JobLaunchFailure");
  EXPECT_EQ(ended(state::JobState::kTimeout), "TimeLimit");
  EXPECT_EQ(ended(state::JobState::kOutOfMemory), "OutOfMemory");
  EXPECT_EQ(ended(state::JobState::kNodeFail), "NodeDown");
  EXPECT_EQ(ended(state::JobState::kUnknown), "None");
}

TEST_F(Words, StatesOfANode) {
  EXPECT_EQ(node(0), "IDLE");
  const JobId half = live.submit(gang_job(1, 4));
  live.start(half, {0}, 0x0f);
  EXPECT_EQ(node(0), "MIXED");
  const JobId rest = live.submit(gang_job(1, 4));
  live.start(rest, {0}, 0xf0);
  EXPECT_EQ(node(0), "ALLOCATED");
  EXPECT_EQ(why_closed(live.state, NodeId(0)), "");

  // Agents that have spoken: an operator's wish and their absence tell nodes apart.
  for (const std::uint32_t id : {0U, 1U}) live.apply(AgentConnected{NodeId(id), "boot", 1, {}});
  live.apply(NodeAvailabilityChanged{NodeId(1), Availability::kDrained});
  EXPECT_EQ(node(1), "DRAINED");
  EXPECT_EQ(why_closed(live.state, NodeId(1)), "is drained: undrain it");
  live.apply(AgentLost{NodeId(1), 1});
  EXPECT_EQ(node(1), "DOWN");
  EXPECT_THAT(why_closed(live.state, NodeId(1)), HasSubstr("has not been connected since"));
}

TEST_F(Words, ADrainedNodeWithJobsIsDraining) {
  for (const std::uint32_t id : {0U, 1U}) live.apply(AgentConnected{NodeId(id), "boot", 1, {}});
  live.start(live.submit(gang_job(1, 8)), {0}, 0xff);
  live.apply(NodeAvailabilityChanged{NodeId(0), Availability::kDrained});
  live.apply(NodeAvailabilityChanged{NodeId(1), Availability::kDown});
  EXPECT_EQ(node(0), "DRAINING");
  EXPECT_EQ(node(1), "DOWN");
  EXPECT_EQ(why_closed(live.state, NodeId(1)), "was set down: undrain it");
}

TEST_F(Words, TimesAreOfOneForm) {
  EXPECT_EQ(time_text(Instant(1'500'000)), "1970-01-01T00:00:01.500000Z");
  EXPECT_EQ(time_text(Instant(-1)), "1969-12-31T23:59:59.999999Z");
}

}  // namespace
}  // namespace weir::api
