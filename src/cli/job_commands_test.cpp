// The commands that look at jobs and change them, as a user runs them.
#include <unistd.h>

#include "cli/test_controller.hpp"
#include "os/user.hpp"

namespace weir::cli {
namespace {

using testing::ControllerTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weir::testing::refusal;

constexpr const char* kWaiting =
    R"({"id":12,"name":"train","user":"ada","partition":"","state":"PENDING","reason":"Resources",)"
    R"("why":"needs 4 nodes with 8 free GPUs, 1 is free","priority":0,"nodes":4,"gpus":32,)"
    R"("node_list":"","attempt":0,"submitted":"2026-01-05T09:00:00.000000Z","started":null,)"
    R"("expected_end":null,"promised":"2026-01-05T10:00:00.000000Z","ended":null,)"
    R"("waits_for":["afterok:7"],"failures":["n3: no such program"]})";
constexpr const char* kRunning =
    R"({"id":13,"name":"serve","user":"ada","state":"RUNNING","reason":"None","why":"",)"
    R"("nodes":2,"gpus":0.5,"node_list":"n[1-2]","attempt":1,)"
    R"("submitted":"2026-01-05T09:00:00.000000Z","started":"2026-01-05T09:00:01.000000Z",)"
    R"("expected_end":"2099-01-05T10:00:00.000000Z","ended":null,"spans":"unit"})";
constexpr const char* kEnded =
    R"({"id":14,"name":"bad","user":"ada","state":"FAILED","reason":"NonZeroExitCode",)"
    R"("why":"rank 1 on n2 exited with 3","nodes":2,"gpus":0,"node_list":"n[1-2]","attempt":1,)"
    R"("submitted":"2026-01-05T09:00:00.000000Z","started":"2026-01-05T09:00:01.000000Z",)"
    R"("expected_end":null,"ended":"2026-01-05T09:01:01.000000Z","exit_code":3,"signal":0,)"
    R"("restarts":1,"rules":{"time_limit_s":7200,"retries":2},)"
    R"("program":{"command":["python","a.py"],"directory":"/srv/ada","output":"","error":""},)"
    R"("lease":[{"node":"n2","gpus":[0,1],"tasks":"ended",)"
    R"("ends":[{"rank":1,"cause":"exited","code":3,"detail":""}]}]})";

using JobCommands = ControllerTest;

std::string page(const std::string& rows, const std::string& next = "null") {
  return R"({"jobs":[)" + rows + R"(],"next":)" + next + "}";
}

TEST_F(JobCommands, QueueIsATableOfAllPages) {
  answer_json("GET /v1/jobs?limit=2000", page(kWaiting, "12"));
  answer_json("GET /v1/jobs?limit=2000&after=12", page(kRunning));
  const auto shown = run({"queue", "--all"});
  EXPECT_EQ(shown.exit_code, 0) << shown.errors;
  EXPECT_THAT(shown.out, StartsWith("JOBID  NAME   USER  ST"));
  EXPECT_THAT(shown.out, HasSubstr("   12  train  ada   PD"));
  EXPECT_THAT(shown.out, HasSubstr(" 0:00      4    32  (Resources)\n"));
  EXPECT_THAT(shown.out, HasSubstr("   13  serve  ada   R "));
  EXPECT_THAT(shown.out, HasSubstr("      2   0.5  n[1-2]\n"));
}

TEST_F(JobCommands, QueueAsksForAUserAndAState) {
  answer_json("GET /v1/jobs?limit=2000&user=a%2Fb&state=RUNNING", page(""));
  const auto shown = run({"queue", "-u", "a/b", "--state", "RUNNING"});
  EXPECT_EQ(shown.exit_code, 0) << shown.errors;
  EXPECT_EQ(shown.out, "JOBID  NAME  USER  ST  TIME  NODES  GPUS  NODELIST(REASON)\n");
}

TEST_F(JobCommands, QueueShowsOwnJobsAndRootAll) {
  std::string own = "GET /v1/jobs?limit=2000";
  if (::geteuid() != 0)
    own += "&user=" + os::find_user(static_cast<std::uint32_t>(::geteuid())).value().name;
  answer_json(own, page(kRunning));
  EXPECT_THAT(run({"queue"}).out, HasSubstr("serve"));
}

TEST_F(JobCommands, QueueAsJsonIsWhatTheControllerSays) {
  answer_json("GET /v1/jobs?limit=2000", page(kWaiting));
  EXPECT_EQ(run({"queue", "--all", "--json"}).out, page(kWaiting) + "\n");
}

TEST_F(JobCommands, WhyTellsWhyItWaits) {
  answer_json("GET /v1/jobs/12", kWaiting);
  const auto told = run({"why", "12"});
  EXPECT_EQ(told.exit_code, 0) << told.errors;
  EXPECT_THAT(told.out,
              StartsWith("Job 12 (train) waits: needs 4 nodes with 8 free GPUs, 1 is free.\n"));
  EXPECT_THAT(told.out, HasSubstr("It starts by 2026-01-05 10:00:00 UTC at the latest.\n"));
  EXPECT_THAT(told.out, HasSubstr("A start failed on n3: no such program.\n"));
}

TEST_F(JobCommands, WhyTellsWhereItRuns) {
  answer_json("GET /v1/jobs/13", kRunning);
  const auto told = run({"why", "13"});
  EXPECT_THAT(told.out, StartsWith("Job 13 (serve) runs on n[1-2], within one unit, for "));
  EXPECT_THAT(told.out, HasSubstr("Its end is expected by 2099-01-05 10:00:00 UTC.\n"));
}

TEST_F(JobCommands, WhyTellsHowItEnded) {
  answer_json("GET /v1/jobs/14", kEnded);
  EXPECT_EQ(run({"why", "14"}).out,
            "Job 14 (bad) ended as FAILED: rank 1 on n2 exited with 3.\n"
            "Exit code 3.\n"
            "It ran for 1m 00s on n[1-2], until 2026-01-05 09:01:01 UTC.\n");
}

TEST_F(JobCommands, ShowTellsAll) {
  answer_json("GET /v1/jobs/14", kEnded);
  const auto shown = run({"show", "14"});
  EXPECT_EQ(shown.exit_code, 0) << shown.errors;
  for (const char* line :
       {"Job:         14 (bad)\n", "State:       FAILED (NonZeroExitCode)\n",
        "Command:     python a.py\n", "Exit code:   3\n", "Retries:     1 of 2 used\n",
        "Time limit:  2h 00m\n", "Node:        n2, GPUs 0,1, ended; rank 1 exited 3\n"})
    EXPECT_THAT(shown.out, HasSubstr(line));
  EXPECT_THAT(shown.out, Not(HasSubstr("Partition")));
  EXPECT_EQ(run({"show", "14", "--json"}).out, std::string(kEnded) + "\n");
}

TEST_F(JobCommands, ControlBytesOfANameNeverReachTheTerminal) {
  answer_json("GET /v1/jobs/5",
              R"({"id":5,"name":"a\u001b[2J","state":"PENDING","why":"w\u0007"})");
  const auto told = run({"why", "5"});
  EXPECT_THAT(told.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(told.out, Not(HasSubstr("\x07")));
}

TEST_F(JobCommands, ChangesEveryJobThatIsNamed) {
  answer_json("POST /v1/jobs/3/cancel", R"({"id":3})");
  answer("POST /v1/jobs/4/cancel", net::error_response(404, "there is no job 4"));
  answer_json("POST /v1/jobs/5/cancel", R"({"id":5})");
  const auto done = run({"cancel", "3", "4", "5"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_EQ(done.out, "Job 3 cancelled\nJob 5 cancelled\n");
  EXPECT_EQ(done.errors, "weir: there is no job 4\n");
}

TEST_F(JobCommands, HoldReleaseAndRequeueAskForThat) {
  for (const char* call :
       {"POST /v1/jobs/3/hold", "POST /v1/jobs/3/release", "POST /v1/jobs/3/requeue"})
    answer_json(call, R"({"id":3})");
  EXPECT_EQ(run({"hold", "3"}).out, "Job 3 held\n");
  EXPECT_EQ(run({"release", "3"}).out, "Job 3 released\n");
  EXPECT_EQ(run({"requeue", "3"}).out, "Job 3 requeued\n");
}

TEST_F(JobCommands, AJobIsANumber) {
  for (const char* command : {"show", "why", "cancel", "hold", "release", "requeue", "logs"})
    EXPECT_EQ(refusal({command, "twelve"}),
              "weir: expected the number of a job, as `weir queue` shows, found \"twelve\"\n")
        << command;
  const auto mixed = run({"cancel", "3", "x"});
  EXPECT_EQ(mixed.exit_code, 2);
  EXPECT_TRUE(asked().empty()) << "nothing is done of a line that is wrong";
}

TEST_F(JobCommands, LogsAreBytesAsWritten) {
  answer("GET /v1/jobs/3/logs?rank=0", {200, {}, std::string("a\0b\xff\n", 5)});
  answer("GET /v1/jobs/3/logs?rank=2&follow=1", {200, {}, "last"});
  EXPECT_EQ(run({"logs", "3"}).out, std::string("a\0b\xff\n", 5));
  EXPECT_EQ(run({"logs", "-f", "--rank", "2", "3"}).out, "last");
}

TEST_F(JobCommands, ALogThatIsNotThereIsAnError) {
  answer("GET /v1/jobs/3/logs?rank=9", net::error_response(404, "job 3 has 4 ranks"));
  const auto shown = run({"logs", "--rank", "9", "3"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_EQ(shown.out, "");
  EXPECT_EQ(shown.errors, "weir: job 3 has 4 ranks\n");
}

}  // namespace
}  // namespace weir::cli
