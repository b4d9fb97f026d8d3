// `weir run` as a user runs it: output, exit code, Ctrl-C.
#include <atomic>
#include <csignal>
#include <semaphore>
#include <thread>

#include <poll.h>

#include "cli/test_controller.hpp"
#include "net/unix_socket.hpp"

namespace weir::cli {
namespace {

using ::testing::Contains;
using testing::ControllerTest;
using ::testing::HasSubstr;
using ::testing::Not;

std::string job(const std::string& state, int attempt, const std::string& rest = {}) {
  return R"({"id":7,"name":"x","state":")" + state + R"(","attempt":)" + std::to_string(attempt) +
         R"(,"nodes":2,"program":{"tasks_per_node":1})" + rest + "}";
}
std::string ended(const std::string& state, const std::string& rest, int attempt = 1) {
  return job(state, attempt, R"(,"ended":"2026-01-05T09:00:00.000000Z",)" + rest);
}

class Run : public ControllerTest {
 protected:
  void SetUp() override { answer_json("POST /v1/jobs", R"({"id":7})", 201); }
};

TEST_F(Run, ShowsTheOutputAndPassesTheExitCodeOn) {
  answer_json("GET /v1/jobs/7", job("PENDING", 0));
  answer_json("GET /v1/jobs/7", job("RUNNING", 1));
  answer_json("GET /v1/jobs/7", ended("FAILED", R"("exit_code":3,"signal":0)"));
  answer("GET /v1/jobs/7/logs?rank=0&follow=1", {200, {}, "step 1\nno end"});
  const auto done = run({"run", "--", "python", "a.py"});
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_EQ(done.out, "step 1\nno end");
  EXPECT_THAT(done.errors, HasSubstr("weir: job 7\n"));
  EXPECT_THAT(done.errors, HasSubstr("ended as FAILED"));
}

TEST_F(Run, AJobThatEndedBeforeAnybodyLookedIsShownAllTheSame) {
  answer_json("GET /v1/jobs/7", ended("COMPLETED", R"("exit_code":0,"signal":0)"));
  answer("GET /v1/jobs/7/logs?rank=0", {200, {}, "quick\n"});
  const auto done = run({"run", "true"});
  EXPECT_EQ(done.exit_code, 0) << done.errors;
  EXPECT_EQ(done.out, "quick\n");
}

TEST_F(Run, LabelsTheLinesOfAllRanks) {
  answer_json("GET /v1/jobs/7", job("RUNNING", 1));
  answer_json("GET /v1/jobs/7", ended("COMPLETED", R"("exit_code":0)"));
  answer("GET /v1/jobs/7/logs?rank=0&follow=1", {200, {}, "a\nb\n"});
  answer("GET /v1/jobs/7/logs?rank=1&follow=1", {200, {}, "c"});
  const auto done = run({"run", "--label", "--nodes", "2", "--", "true"});
  EXPECT_EQ(done.exit_code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("0: a\n0: b\n"));
  EXPECT_THAT(done.out, HasSubstr("1: c\n"));
}

TEST_F(Run, ShowsTheNextAttemptToo) {
  answer_json("GET /v1/jobs/7", job("RUNNING", 1));
  answer_json("GET /v1/jobs/7", job("PENDING", 1));
  answer_json("GET /v1/jobs/7", job("RUNNING", 2));
  answer_json("GET /v1/jobs/7", ended("COMPLETED", R"("exit_code":0)", 2));
  answer("GET /v1/jobs/7/logs?rank=0&follow=1", {200, {}, "first\n"});
  answer("GET /v1/jobs/7/logs?rank=0&follow=1", {200, {}, "second\n"});
  EXPECT_EQ(run({"run", "true"}).out, "first\nsecond\n");
}

TEST_F(Run, ASignalIsAnExitCodeAsOfAShell) {
  answer_json("GET /v1/jobs/7", ended("FAILED", R"("exit_code":0,"signal":9)", 0));
  EXPECT_EQ(run({"run", "true"}).exit_code, 137);
}

TEST_F(Run, ABadEndWithoutANumberIsOne) {
  answer_json("GET /v1/jobs/7", ended("TIMEOUT", R"("exit_code":0,"signal":0)", 0));
  EXPECT_EQ(run({"run", "true"}).exit_code, 1);
}

TEST_F(Run, CtrlCCancelsTheJob) {
  answer_json("GET /v1/jobs/7", job("RUNNING", 1));
  answer_json("POST /v1/jobs/7/cancel", R"({"id":7})");
  answer("GET /v1/jobs/7/logs?rank=0&follow=1", {200, {}, "begun\n"});
  on_call_ = [this](const std::string& call) {
    if (call == "GET /v1/jobs/7/logs?rank=0&follow=1") ::kill(::getpid(), SIGINT);
    if (call == "POST /v1/jobs/7/cancel")
      answer_json("GET /v1/jobs/7", ended("CANCELLED", R"("exit_code":0,"signal":0)"));
  };
  const auto done = run({"run", "true"});
  EXPECT_EQ(done.exit_code, 130) << done.errors;
  EXPECT_THAT(calls(), Contains("POST /v1/jobs/7/cancel"));
  EXPECT_THAT(done.errors, HasSubstr("weir: cancelling job 7"));
}

TEST_F(Run, ALogThatCannotBeShownEndsNothing) {
  answer_json("GET /v1/jobs/7", job("RUNNING", 1));
  answer_json("GET /v1/jobs/7", ended("COMPLETED", R"("exit_code":0)"));
  answer("GET /v1/jobs/7/logs?rank=0&follow=1", net::error_response(409, "it goes to a file"));
  const auto done = run({"run", "-o", "out", "--", "true"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.errors, "weir: job 7\nweir: the log of rank 0 is not shown: it goes to a file\n");
}

TEST_F(Run, OutlivesTheController) {
  answer_json("GET /v1/jobs/7", job("PENDING", 0));
  std::binary_semaphore looked{0};
  std::atomic<bool> first = true;
  on_call_ = [&](const std::string& call) {
    if (call == "GET /v1/jobs/7" && first.exchange(false)) looked.release();
  };
  const std::jthread restart([&] {
    looked.acquire();
    server_.reset();
    {
      // Somebody asks in vain.
      const auto listener = net::listen_at(socket(), 0600);
      ASSERT_TRUE(listener);
      pollfd wanted{listener->get(), POLLIN, 0};
      EXPECT_EQ(::poll(&wanted, 1, 20'000), 1);
    }
    answer_json("GET /v1/jobs/7", ended("COMPLETED", R"("exit_code":0)", 0));
    start();
  });
  // The answer from before comes once more.
  const auto done = run({"run", "true"});
  EXPECT_EQ(done.exit_code, 0) << done.errors;
  EXPECT_THAT(done.errors, HasSubstr("; waiting for it\n"));
}

TEST_F(Run, ARefusedJobIsNotWaitedFor) {
  answer("POST /v1/jobs?user=ada", net::error_response(403, "only root may submit for others"));
  const auto done = run({"run", "--user", "ada", "--", "true"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_EQ(done.errors, "weir: only root may submit for others\n");
  EXPECT_THAT(calls(), Not(Contains("GET /v1/jobs/7")));
}

}  // namespace
}  // namespace weir::cli
