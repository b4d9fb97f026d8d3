// `weir submit` as a user runs it: what is sent, what is printed.
#include <cstdlib>
#include <filesystem>

#include "cli/test_controller.hpp"
#include "formats/job_request.hpp"

namespace weir::cli {
namespace {

using testing::ControllerTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weir::testing::refusal;
using weir::testing::run_weir;

class Submit : public ControllerTest {
 protected:
  // The request that the controller got as its n-th.
  JobRequest sent(std::size_t n = 0) {
    const auto all = asked();
    if (all.size() <= n) return {};
    const auto request = parse_job_request_json(all[n].body);
    EXPECT_TRUE(request) << request.error().message;
    return request.value_or(JobRequest{});
  }
};

TEST_F(Submit, SendsWhatTheFlagsSay) {
  answer_json("POST /v1/jobs", R"({"id":12})", 201);
  const auto done =
      run({"submit", "--nodes",   "4",     "--gpus=8", "-t",     "2h",       "--class", "training",
           "--name", "big",       "--env", "A=b",      "--env",  "C=d e",    "--after", "afterok:7",
           "--hold", "--require", "unit",  "--",       "python", "train.py", "--lr",    "3"});
  EXPECT_EQ(done.exit_code, 0) << done.errors;
  EXPECT_EQ(done.out, "Submitted job 12\n");
  const JobRequest job = sent();
  EXPECT_THAT(job.command, ElementsAre("python", "train.py", "--lr", "3"));
  EXPECT_EQ(job.name, "big");
  EXPECT_EQ(job.nodes, 4U);
  EXPECT_EQ(job.gpus, 8U);
  EXPECT_EQ(job.time, Duration(std::int64_t{7200} * 1'000'000));
  EXPECT_EQ(job.job_class, "training");
  EXPECT_EQ(job.environment.at("A"), "b");
  EXPECT_EQ(job.environment.at("C"), "d e");
  ASSERT_EQ(job.after.size(), 1U);
  EXPECT_EQ(job.after[0].job, JobId(7));
  EXPECT_TRUE(job.hold);
  EXPECT_EQ(job.topology.require, Level::kUnit);
}

TEST_F(Submit, TakesTheCallersPlaceAlong) {
  ::setenv("WEIR_TEST_VARIABLE", "from here", 1);
  answer_json("POST /v1/jobs", R"({"id":1})", 201);
  EXPECT_EQ(run({"submit", "--env", "WEIR_TEST_VARIABLE", "hostname", "-f"}).exit_code, 0);
  const JobRequest job = sent();
  EXPECT_THAT(job.command, ElementsAre("hostname", "-f")) << "what follows the command is its own";
  EXPECT_EQ(job.directory, std::filesystem::current_path());
  EXPECT_EQ(job.environment.at("PATH"), std::getenv("PATH"));
  EXPECT_EQ(job.environment.at("WEIR_TEST_VARIABLE"), "from here");
  EXPECT_EQ(job.output, "") << "Weir keeps the output";
  ::unsetenv("WEIR_TEST_VARIABLE");
  EXPECT_THAT(refusal({"submit", "--env", "WEIR_TEST_VARIABLE", "--", "true"}),
              HasSubstr("--env WEIR_TEST_VARIABLE: it is not set here"));
}

TEST_F(Submit, PrintsTheNumberAloneForScripts) {
  answer_json("POST /v1/jobs?user=nobody", R"({"id":4711})", 201);
  const auto done = run({"submit", "--parsable", "--user", "nobody", "--", "true"});
  EXPECT_EQ(done.out, "4711\n") << done.errors;
}

TEST_F(Submit, SubmitsEveryJobOfAFile) {
  answer_json("POST /v1/jobs", R"({"id":1})", 201);
  answer_json("POST /v1/jobs", R"({"id":2})", 201);
  const std::string file = folder_.write("jobs.toml",
                                         "[[job]]\ncommand = [\"a\"]\nnodes = 3\n"
                                         "[[job]]\ncommand = [\"b\"]\n");
  const auto done = run({"submit", "-f", file, "--name", "same"});
  EXPECT_EQ(done.out, "Submitted job 1\nSubmitted job 2\n") << done.errors;
  EXPECT_EQ(sent(0).nodes, 3U);
  EXPECT_THAT(sent(1).command, ElementsAre("b"));
  EXPECT_EQ(sent(1).name, "same") << "a flag wins";
}

TEST_F(Submit, SaysWhichJobOfAFileWasRefused) {
  answer_json("POST /v1/jobs", R"({"id":1})", 201);
  answer("POST /v1/jobs", net::error_response(503, "the disk is full"));
  const std::string file =
      folder_.write("jobs.toml", "[[job]]\ncommand = [\"a\"]\n[[job]]\ncommand = [\"b\"]\n");
  const auto done = run({"submit", "-f", file});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_EQ(done.out, "Submitted job 1\n");
  EXPECT_EQ(done.errors, "weir: " + file + ": job 2 of 2: the disk is full\n");
}

TEST_F(Submit, SubmitsNothingOfAFileThatIsWrong) {
  const std::string file =
      folder_.write("jobs.toml", "[[job]]\ncommand = [\"a\"]\n[[job]]\nnodes = 0\n");
  const auto done = run({"submit", "-f", file});
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_THAT(done.errors, HasSubstr("jobs.toml:4: "));
  EXPECT_TRUE(asked().empty());
}

TEST_F(Submit, RefusesWhatIsNoJob) {
  EXPECT_THAT(refusal({"submit"}), HasSubstr("no command: say what to run"));
  EXPECT_THAT(refusal({"submit", "--nodes", "none", "--", "a"}), HasSubstr("--nodes: "));
  EXPECT_THAT(refusal({"submit", "--nodse", "4", "--", "a"}), HasSubstr("--nodse"));
  EXPECT_THAT(refusal({"submit", "--gpus", "1", "--gpu-share", "0.5", "--", "a"}),
              HasSubstr("excludes"));
  EXPECT_THAT(refusal({"submit", "-f", "jobs.toml", "--", "a"}), HasSubstr("a file and a command"));
}

TEST_F(Submit, TellsWhatTheControllerSays) {
  answer("POST /v1/jobs", net::error_response(400, "/nodes: the site has 3 nodes"));
  const auto wrong = run({"submit", "--nodes", "4", "--", "a"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.out, "");
  EXPECT_EQ(wrong.errors, "weir: /nodes: the site has 3 nodes\n");
}

TEST_F(Submit, SaysWhatToDoWithoutAController) {
  const auto done = run_weir({"submit", "--socket", socket(), "--", "a"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_EQ(done.errors, "weir: no controller listens at " + socket() +
                             ": start one with `weir serve` or `weir up`\n");
}

TEST_F(Submit, KnowsAnAnswerThatNoControllerGives) {
  answer("POST /v1/jobs", {201, {}, "<html>"});
  const auto done = run({"submit", "--", "a"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.errors, HasSubstr("is its socket the right one?"));
}

}  // namespace
}  // namespace weir::cli
