#include "formats/job_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"

namespace weir {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kFullJson = R"({
  "name": "pretrain", "command": ["python", "train.py", "--lr=\u00e9"],
  "environment": {"OMP_NUM_THREADS": "8", "EMPTY": ""},
  "directory": "/data/ada/run", "output": "logs/%j-%t.out", "error": "logs/%j-%t.err",
  "nodes": 8, "gpus": 4, "cpus": 16.5, "memory": "64G", "tasks_per_node": 4, "time": "1-12:00:00",
  "class": "training", "partition": "main", "gpu_model": ["H200", "H100"],
  "features": ["nvlink", "ib"], "priority": -5,
  "topology": {"require": "pod", "prefer": "unit", "segment": {"nodes": 4, "level": "block"},
               "exclusive": "unit"},
  "signal": "USR1@90s", "retries": {"count": 3, "on": ["failure", "time-limit"]}, "hold": true,
  "begin": "2026-01-05T09:00:00Z", "after": ["afterok:12", "afterany:13:14"], "umask": "027",
  "on_partition": "end", "hold_reason": null})";

constexpr std::string_view kFullToml = R"(
[[job]]
name = "pretrain"
command = ["python", "train.py", "--lr=é"]
environment = { OMP_NUM_THREADS = "8", EMPTY = "" }
directory = "/data/ada/run"
output = "logs/%j-%t.out"
error = "logs/%j-%t.err"
nodes = 8
gpus = 4
cpus = 16.5
memory = "64GiB"
tasks_per_node = 4
time = "36h"
class = "training"
partition = "main"
gpu_model = ["H100", "H200"]
features = ["ib", "nvlink"]
priority = -5
topology = { require = "pod", prefer = "unit", segment = { nodes = 4, level = "block" }, exclusive = "unit" }
signal = "SIGUSR1"
grace = "90s"
retries = { count = 3, on = ["time-limit", "failure"] }
hold = true
begin = "2026-01-05 09:00:00"
after = ["afterok:12", "afterany:13", "afterany:14"]
umask = "027"
on_partition = "end"
)";

JobRequest full_request() {
  JobRequest request;
  request.name = "pretrain";
  request.command = {"python", "train.py", "--lr=é"};
  request.environment = {{"EMPTY", ""}, {"OMP_NUM_THREADS", "8"}};
  request.directory = "/data/ada/run";
  request.output = "logs/%j-%t.out";
  request.error = "logs/%j-%t.err";
  request.nodes = 8;
  request.gpus = 4;
  request.cpu_milli = 16'500;
  request.memory_mib = 64 * 1024;
  request.tasks_per_node = 4;
  request.time = std::chrono::hours(36);
  request.job_class = "training";
  request.partition = "main";
  request.gpu_models = {"H100", "H200"};
  request.features = {"ib", "nvlink"};
  request.priority = -5;
  request.topology = {Level::kPod, Level::kUnit, 4, Level::kBlock, Level::kUnit};
  request.end_signal = 10;
  request.grace = std::chrono::seconds(90);
  request.retries = {3, true, false, true};
  request.hold = true;
  request.begin.at = *parse_instant("2026-01-05 09:00:00");
  request.after = {{JobId(12), DependencyKind::kAfterOk},
                   {JobId(13), DependencyKind::kAfterAny},
                   {JobId(14), DependencyKind::kAfterAny}};
  request.umask = 027;
  request.on_partition = OnPartition::kEnd;
  return request;
}

std::string json_error(std::string_view text) {
  const auto request = parse_job_request_json(text);
  return request ? "accepted" : request.error().message;
}

std::string toml_error(std::string_view text) {
  const auto requests = parse_job_requests_toml(text, "job.toml");
  return requests ? "accepted" : requests.error().message;
}

TEST(JobRequest, JsonTomlAndFlagsSayTheSame) {
  std::string json(kFullJson);
  json.replace(json.find(", \"hold_reason\": null"), 21, "");
  const auto from_json = parse_job_request_json(json);
  ASSERT_TRUE(from_json) << from_json.error().message;
  EXPECT_EQ(*from_json, full_request());
  const auto from_toml = parse_job_requests_toml(kFullToml, "job.toml");
  ASSERT_TRUE(from_toml) << from_toml.error().message;
  ASSERT_EQ(from_toml->size(), 1U);
  EXPECT_EQ(from_toml->front(), full_request());

  JobRequest from_flags;
  from_flags.command = full_request().command;
  constexpr std::pair<std::string_view, std::string_view> kFlags[] = {
      {"name", "pretrain"},
      {"environment", "OMP_NUM_THREADS=8"},
      {"environment", "EMPTY="},
      {"directory", "/data/ada/run"},
      {"output", "logs/%j-%t.out"},
      {"error", "logs/%j-%t.err"},
      {"nodes", "8"},
      {"gpus", "4"},
      {"cpus", "16.5"},
      {"memory", "65536"},
      {"tasks-per-node", "4"},
      {"time", "2160"},
      {"class", "training"},
      {"partition", "main"},
      {"gpu-model", "H200,H100"},
      {"features", "nvlink,ib"},
      {"priority", "-5"},
      {"require", "pod"},
      {"prefer", "unit"},
      {"segment", "4@block"},
      {"exclusive", "unit"},
      {"signal", "10@1.5m"},
      {"retries", "3"},
      {"retry-on", "failure,time-limit"},
      {"hold", ""},
      {"begin", "2026-01-05"},
      {"begin", "2026-01-05T09:00:00"},
      {"after", "afterok:12,afterany:13:14"},
      {"umask", "27"},
      {"on-partition", "end"},
  };
  for (const auto& [flag, text] : kFlags) {
    const Status status = set_job_flag(from_flags, flag, text);
    EXPECT_TRUE(status) << (status ? "" : status.error().message);
  }
  EXPECT_EQ(from_flags, full_request());
}

TEST(JobRequest, IsWrittenAsJsonThatReadsBackTheSame) {
  std::vector<JobRequest> requests(6, full_request());
  requests[1] = {};
  requests[1].command = {"a\n\"b\"\\", std::string("\x01")};
  requests[2].begin = {{}, Duration(1'500'001)};
  requests[2].end_signal = 34;
  requests[3].gpus = 0;
  requests[3].gpu_milli = 46;
  requests[3].time = Duration(1);
  requests[3].retries = {0, false, false, false};
  requests[4].begin.at = Instant(1'700'000'000'000'007);
  requests[4].topology = {};
  requests[5].grace = limits::kLongestDuration;
  requests[5].cpu_milli = 1;
  for (const JobRequest& request : requests) {
    const auto again = parse_job_request_json(job_request_json(request));
    ASSERT_TRUE(again) << again.error().message << "\n" << job_request_json(request);
    EXPECT_EQ(*again, request) << job_request_json(request);
  }
}

TEST(JobRequest, OfOneCommandAsksForTheUsual) {
  const auto request = parse_job_request_json(R"({"command": ["hostname"]})");
  ASSERT_TRUE(request);
  JobRequest usual;
  usual.command = {"hostname"};
  EXPECT_EQ(*request, usual);
  EXPECT_EQ(job_request_json(usual), R"({"command":["hostname"]})");
}

TEST(JobRequest, TimeIsReadAsSlurmDoesUnlessItHasAUnit) {
  constexpr std::pair<std::string_view, std::int64_t> kTimes[] = {
      {"90", 5400},      {"1:30", 90},         {"2:00:00", 7200},
      {"1-12", 129'600}, {"1-12:30", 131'400}, {"1-00:00:01", 86'401},
      {"90s", 90},       {"2h", 7200},         {"1.5d", 129'600},
  };
  for (const auto& [text, seconds] : kTimes) {
    JobRequest request;
    ASSERT_TRUE(set_job_flag(request, "time", text)) << text;
    EXPECT_EQ(request.time, std::chrono::seconds(seconds)) << text;
  }
  const auto number = parse_job_request_json(R"({"command":["a"],"time":90})");
  ASSERT_TRUE(number);
  EXPECT_EQ(number->time, std::chrono::minutes(90));
}

TEST(JobRequest, OfAFileTakesItsDefaults) {
  const auto requests = parse_job_requests_toml(R"(
[defaults]
directory = "/w"
gpus = 8
environment = { A = "1", B = "2" }
topology = { require = "pod", prefer = "unit" }
[[job]]
command = ["a"]
[[job]]
command = ["b"]
gpu_share = 0.5
environment = { B = "3" }
topology = { require = "unit" }
retries = 2
)",
                                                "job.toml");
  ASSERT_TRUE(requests) << requests.error().message;
  ASSERT_EQ(requests->size(), 2U);
  EXPECT_EQ(requests->front().gpus, 8U);
  const JobRequest& second = requests->back();
  EXPECT_EQ(second.gpus, 0U);
  EXPECT_EQ(second.gpu_milli, 500U);
  EXPECT_EQ(second.directory, "/w");
  EXPECT_EQ(second.environment, (std::map<std::string, std::string>{{"A", "1"}, {"B", "3"}}));
  EXPECT_EQ(second.topology.require, Level::kUnit);
  EXPECT_EQ(second.topology.prefer, Level::kUnit);
  EXPECT_EQ(second.retries, (RetryRule{2, false, true, false}));
}

TEST(JobRequest, IsRefusedAsAWhole) {
  EXPECT_THAT(json_error("{}"), StartsWith("/command: it is missing"));
  EXPECT_THAT(json_error(R"({"command":[]})"), StartsWith("/command: expected a list"));
  EXPECT_THAT(json_error(R"({"command":"ls -l"})"), HasSubstr(R"(["sh", "-c", "…"])"));
  EXPECT_THAT(json_error(R"({"command":[""]})"), HasSubstr("expected a program first"));
  EXPECT_THAT(json_error(R"({"command":["a",1]})"), StartsWith("/command: expected a text"));
  EXPECT_THAT(json_error("[]"), StartsWith("expected an object like"));
  EXPECT_THAT(json_error(""), StartsWith("line 1: no JSON"));
  EXPECT_THAT(json_error("{\n\"command\":\n[}"), StartsWith("line 3: no JSON"));
  EXPECT_THAT(json_error(R"({"command":["a"]} x)"), StartsWith("line 1: no JSON"));
  EXPECT_THAT(json_error(R"({"gpus":1,"gpus":2})"), HasSubstr("the key \"gpus\" is there twice"));
  EXPECT_THAT(json_error(R"({"command":[null]})"), HasSubstr("a null where a value"));
  EXPECT_THAT(json_error(std::string(100, '[')), StartsWith("line 1: no JSON"));
  EXPECT_THAT(json_error(std::string(limits::kRequestBytes + 1, ' ')), HasSubstr("at most"));
  EXPECT_THAT(json_error(kFullJson), "accepted") << "a null is as if it were not there";
  std::string many = R"({"command":["a"],"after":["afterok:1")";
  for (std::size_t i = 0; i < limits::kDependencies; ++i) many += R"(,"afterok:1")";
  EXPECT_THAT(json_error(many + "]}"), StartsWith("/after: expected at most 256 jobs"));
}

TEST(JobRequest, OfAFileIsRefusedByLineAndField) {
  EXPECT_THAT(toml_error(""), "job.toml: no job: expected at least one [[job]]");
  EXPECT_THAT(toml_error("job = []"), "job.toml: no job: expected at least one [[job]]");
  EXPECT_THAT(toml_error("job = 1"), StartsWith("job.toml:1: job: expected tables"));
  EXPECT_THAT(toml_error("[job]"), StartsWith("job.toml:1: job: expected tables"));
  EXPECT_THAT(toml_error("[jobs]"), StartsWith("job.toml:1: unknown table \"jobs\""));
  EXPECT_THAT(toml_error("defaults = 1"), StartsWith("job.toml:1: expected a table [defaults]"));
  EXPECT_THAT(toml_error("\n[[job]]\ncommand = [\"a\"]\nnodes = 0"),
              StartsWith("job.toml:4: nodes: expected a whole number"));
  EXPECT_THAT(toml_error("[[job]]\ncommand = [\"a\"]\ntopology.segment.nodes = 0"),
              StartsWith("job.toml:3: topology.segment.nodes: expected"));
  EXPECT_THAT(toml_error("[[job]]\nnodes = 1"), StartsWith("job.toml:1: command: it is missing"));
  EXPECT_THAT(toml_error("[defaults]\nhold = 3"), StartsWith("job.toml:2: hold: expected true"));
}

TEST(JobRequest, OfFlagsIsRefusedByTheFlag) {
  const auto error = [](std::string_view flag, std::string_view text) {
    JobRequest request;
    const Status status = set_job_flag(request, flag, text);
    return status ? "accepted" : status.error().message;
  };
  EXPECT_EQ(error("nodes", "four"),
            "--nodes: expected a whole number from 1 to 32768, found \"four\"");
  EXPECT_THAT(error("segment", "4@rack"), StartsWith("--segment: expected one of block"));
  EXPECT_THAT(error("environment", "A"), StartsWith("--environment: expected NAME=value"));
  EXPECT_THAT(error("nodez", "1"), StartsWith("--nodez: unknown field: did you mean nodes?"));
  EXPECT_THAT(error("command", "x"), StartsWith("--command: unknown field"));
  EXPECT_THAT(error("hold", "no"), StartsWith("--hold: expected true or false"));
}

constexpr Instant kNow(1'000'000'000);

Submitter ada() { return {"ada", 1000, 100, false}; }

TEST(Submission, HasTheJobAndItsWork) {
  const JobRequest request = full_request();
  const auto submission = make_submission(request, ada(), kNow);
  ASSERT_TRUE(submission) << submission.error().message;
  const Job& job = submission->job;
  EXPECT_EQ(job.name, "pretrain");
  EXPECT_EQ(job.user, "ada");
  EXPECT_EQ(job.gang.nodes, 8U);
  EXPECT_EQ(job.gang.per_node, (Capacity{4, 16'500, 64 * 1024, 0}));
  EXPECT_EQ(job.requirement.partition, "main");
  EXPECT_EQ(job.requirement.gpu_models, request.gpu_models);
  EXPECT_EQ(job.requirement.features, request.features);
  EXPECT_EQ(job.wish, request.topology);
  EXPECT_EQ(job.priority, -5);
  EXPECT_EQ(job.estimate, std::chrono::hours(36));
  const Program& program = submission->work->program;
  EXPECT_EQ(program.argv, request.command);
  EXPECT_EQ(program.env, (std::vector<std::string>{"EMPTY=", "OMP_NUM_THREADS=8"}));
  EXPECT_EQ(program.directory, "/data/ada/run");
  EXPECT_EQ(program.output, "logs/%j-%t.out");
  EXPECT_EQ(program.error, "logs/%j-%t.err");
  EXPECT_EQ(program.tasks_per_node, 4U);
  EXPECT_EQ(program.user, "ada");
  EXPECT_EQ(program.uid, 1000U);
  EXPECT_EQ(program.gid, 100U);
  EXPECT_EQ(program.umask, 027U);
  const Rules& rules = submission->work->rules;
  EXPECT_EQ(rules.time_limit, std::chrono::hours(36));
  EXPECT_EQ(rules.end_signal, 10U);
  EXPECT_EQ(rules.grace, std::chrono::seconds(90));
  EXPECT_EQ(rules.retries, 3U);
  EXPECT_TRUE(rules.retry_on_failure && !rules.retry_on_node_failure && rules.retry_on_time_limit);
  EXPECT_EQ(rules.on_partition, OnPartition::kEnd);
  EXPECT_TRUE(rules.held);
  EXPECT_EQ(rules.begin, request.begin.at);
  EXPECT_EQ(rules.after, request.after);
  EXPECT_EQ(submission->job_class, "training");
}

TEST(Submission, OfASmallRequestGetsTheUsual) {
  JobRequest request;
  request.command = {"/usr/bin/hostname", "-f"};
  request.directory = "/";
  request.tasks_per_node = 3;
  request.begin.delay = std::chrono::minutes(10);
  const auto submission = make_submission(request, ada(), kNow);
  ASSERT_TRUE(submission) << submission.error().message;
  EXPECT_EQ(submission->job.name, "hostname");
  EXPECT_EQ(submission->job.gang.per_node, (Capacity{0, 3000, 0, 0}));
  EXPECT_EQ(submission->job.estimate, kUsualTime);
  EXPECT_EQ(submission->work->rules.time_limit, Duration::zero());
  EXPECT_EQ(submission->work->rules.begin, kNow + std::chrono::minutes(10));
}

TEST(Submission, IsRefusedWithItsReason) {
  const auto error = [](auto change, Submitter submitter = ada()) {
    JobRequest request;
    request.command = {"a"};
    request.directory = "/";
    change(request);
    const auto submission = make_submission(request, submitter, kNow);
    return submission ? "accepted" : submission.error().message;
  };
  EXPECT_EQ(error([](JobRequest&) {}), "accepted");
  EXPECT_THAT(error([](JobRequest& r) { r.directory = ""; }), StartsWith("directory: "));
  EXPECT_THAT(error([](JobRequest& r) { r.directory = "here"; }), HasSubstr("absolute path"));
  EXPECT_THAT(error([](JobRequest& r) { r.command.clear(); }), StartsWith("command: "));
  EXPECT_THAT(error([](JobRequest& r) {
                r.nodes = 2;
                r.gpu_milli = 500;
              }),
              HasSubstr("a share of a GPU"));
  EXPECT_THAT(error([](JobRequest& r) {
                r.nodes = 6;
                r.topology.segment_nodes = 4;
              }),
              StartsWith("segment = 4"));
  EXPECT_THAT(error([](JobRequest&) {}, {"root", 0, 0, false}), HasSubstr("root"));
  EXPECT_EQ(error([](JobRequest&) {}, {"root", 0, 0, true}), "accepted");
}

}  // namespace
}  // namespace weir
