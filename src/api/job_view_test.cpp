#include "api/job_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/live_state.hpp"

namespace weir::api {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::at_second;
using weir::testing::even_site;
using weir::testing::gang_job;
using weir::testing::LiveState;
using weir::testing::plain_work;
using weir::testing::seconds_long;

weir::testing::Site site_with_ib() {
  weir::testing::Site site = even_site(1, 1, 2, 2);
  for (Node& node : site.nodes) node.kind.features = {"ib"};
  return site;
}

class Views : public ::testing::Test {
 protected:
  Views() : live(site_with_ib()) {
    Job job = gang_job(2, 8, seconds_long(3600));
    job.name = "train";
    job.user = "ada";
    job.requirement.features = {"ib"};
    job.wish.require = Level::kUnit;
    Work work = plain_work();
    work.program.env = {"TOKEN=secret"};
    work.rules.time_limit = seconds_long(90);
    work.rules.retries = 1;
    id = live.submit(job, work);
  }
  void report(std::uint32_t node, StepPhase phase, std::vector<TaskEnd> ends = {}) {
    const state::WorkRecord& work = *live.state.work(id);
    live.apply(
        StepReported{NodeId(node), {{id, work.attempt}, work.token, phase, std::move(ends)}});
  }
  [[nodiscard]] JobView view() const {
    return view_of(live.state, *live.state.find(id), {}, at_second(live.now));
  }
  [[nodiscard]] std::string jobs(const JobQuery& query) const {
    return jobs_json(live.state, {}, query, at_second(live.now));
  }

  LiveState live;
  JobId id;
};

TEST_F(Views, AJobThatRunsInFull) {
  live.start(id, {2, 3}, 0xff, 1500, 64);
  report(2, StepPhase::kRunning);
  EXPECT_EQ(
      job_json(view()),
      R"({"id":1,"name":"train","user":"ada","partition":"","state":"CONFIGURING",)"
      R"("reason":"None","why":"","priority":0,"nodes":2,"gpus":16,"node_list":"n[2-3]",)"
      R"("attempt":1,"submitted":"1970-01-01T00:00:07.000000Z",)"
      R"("started":"1970-01-01T00:00:07.000000Z","expected_end":"1970-01-01T01:00:07.000000Z",)"
      R"("running_since":null,"promised":null,"ended":null,"exit_code":null,"signal":null,)"
      R"("restarts":0,"held":false,"waits_for":[],)"
      R"("per_node":{"gpus":8,"cpus":0,"memory_mib":0},"gpu_model":[],"features":["ib"],)"
      R"("topology":{"require":"unit","prefer":null,"exclusive":null,"segment_nodes":0,)"
      R"("segment_level":null},"program":{"command":["train"],"directory":"/data/run",)"
      R"("output":"","error":"","tasks_per_node":1,"uid":1000,"gid":100},)"
      R"("rules":{"time_limit_s":90,"signal":15,"grace_s":30,"retries":1,)"
      R"("retry_on":["node-failure"],"on_partition":"continue","begin":null},"spans":"unit",)"
      R"("lease":[{"node":"n2","gpus":[0,1,2,3,4,5,6,7],"gpu_share":null,"cpus":1.5,)"
      R"("memory_mib":64,"tasks":"running","ends":[]},)"
      R"({"node":"n3","gpus":[0,1,2,3,4,5,6,7],"gpu_share":null,"cpus":1.5,)"
      R"("memory_mib":64,"tasks":"starting","ends":[]}],"failures":[]})");
}

TEST_F(Views, TheEnvironmentStaysPrivate) {
  EXPECT_THAT(job_json(view()), Not(HasSubstr("secret")));
}

TEST_F(Views, AJobThatWaitsTellsWhy) {
  const Reason busy{ReasonCode::kBusy, Level::kUnit, 2, 1, ""};
  const JobView waiting = view_of(live.state, *live.state.find(id), busy, at_second(live.now));
  const std::string json = job_json(waiting);
  EXPECT_THAT(json, HasSubstr(R"("state":"PENDING","reason":"Resources","why":"needs 2 free)"));
  EXPECT_THAT(json, HasSubstr(R"("started":null)"));
  EXPECT_THAT(json, HasSubstr(R"("lease":[])"));
  EXPECT_THAT(json, HasSubstr(R"("spans":null)"));
}

TEST_F(Views, AJobThatHasEndedIsItsRecord) {
  live.start(id, {2, 3}, 0xff);
  for (const std::uint32_t node : {2U, 3U}) report(node, StepPhase::kRunning);
  report(2, StepPhase::kEnded, {{0, EndCause::kExited, 3, "no such file"}});
  report(3, StepPhase::kEnded, {{1, EndCause::kWithOthers, 0, ""}});
  const state::Effects effects = live.state.take_effects();
  ASSERT_EQ(effects.finished.size(), 1U);
  const std::string json = job_json(view_of(live.state, effects.finished.front()));
  EXPECT_THAT(json, HasSubstr(R"("state":"FAILED","reason":"NonZeroExitCode",)"
                              R"("why":"task 0 exited with status 3: no such file")"));
  EXPECT_THAT(json, HasSubstr(R"("ended":"1970-01-01T00:00:11.000000Z","exit_code":3,"signal":0)"));
  EXPECT_THAT(json, HasSubstr(R"("node_list":"n[2-3]","attempt":1)"));
  EXPECT_THAT(json, HasSubstr(R"("tasks":null)"));
}

TEST_F(Views, AJobThatNeverRanHasNoExitCode) {
  live.apply(JobCancelled{id});
  const state::Effects effects = live.state.take_effects();
  ASSERT_EQ(effects.finished.size(), 1U);
  const std::string json = job_json(view_of(live.state, effects.finished.front()));
  EXPECT_THAT(json, HasSubstr(R"("state":"CANCELLED")"));
  EXPECT_THAT(json, HasSubstr(R"("started":null)"));
  EXPECT_THAT(json, HasSubstr(R"("exit_code":null,"signal":null)"));
}

TEST_F(Views, AnUnseenEndHasNoExitCode) {
  live.start(id, {2, 3}, 0xff);
  state::Finished finished;
  finished.id = id;
  finished.started = at_second(5);
  finished.state = state::JobState::kUnknown;
  EXPECT_THAT(job_json(view_of(live.state, finished)), HasSubstr(R"("exit_code":null)"));
}

TEST_F(Views, ANodeThatCouldNotStartItIsNamed) {
  live.start(id, {2, 3}, 0xff);
  report(2, StepPhase::kEnded, {{0, EndCause::kNotStarted, 0, "no such program"}});
  report(3, StepPhase::kEnded, {{1, EndCause::kWithOthers, 0, ""}});
  ASSERT_NE(live.state.find(id), nullptr);
  EXPECT_THAT(job_json(view()), HasSubstr(R"("failures":["n2: no such program"])"));
}

TEST_F(Views, RowsAreAskedForByUserStateAndPage) {
  Job other = gang_job(1, 8);
  other.user = "bob";
  const JobId second = live.submit(other);
  const JobId third = live.submit(other);
  live.start(second, {0}, 0xff);
  const auto ids = [&](const JobQuery& query) {
    const std::string json = jobs(query);
    std::string found;
    for (const JobId job : {id, second, third})
      if (json.find("{\"id\":" + std::to_string(job.value()) + ",") != std::string::npos)
        found += std::to_string(job.value());
    return found + json.substr(json.rfind("],"));
  };
  EXPECT_EQ(ids({}), R"(123],"next":null})");
  EXPECT_EQ(ids({"bob", "", JobId(0), 1000}), R"(23],"next":null})");
  EXPECT_EQ(ids({"", "PENDING", JobId(0), 1000}), R"(13],"next":null})");
  EXPECT_EQ(ids({"", "", JobId(0), 2}), R"(12],"next":2})");
  EXPECT_EQ(ids({"", "", JobId(2), 2}), R"(3],"next":null})");
  EXPECT_EQ(ids({"eve", "", JobId(0), 2}), R"(],"next":null})");
}

TEST_F(Views, ARowHasThePlannersReason) {
  const std::string json = jobs_json(
      live.state, {{id, {ReasonCode::kBehind, Level::kUnit, 7, 0, ""}}}, {}, at_second(live.now));
  EXPECT_THAT(json, HasSubstr(R"("reason":"Priority","why":"waits its turn behind job 7)"));
}

}  // namespace
}  // namespace weir::api
