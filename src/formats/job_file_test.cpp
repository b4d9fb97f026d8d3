#include "formats/job_file.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace weir {
namespace {

using namespace std::chrono_literals;

Trace jobs_of(std::string_view text, const JobFileOptions& options = {}) {
  const auto trace = parse_job_file(text, "jobs.toml", options);
  EXPECT_TRUE(trace) << trace.error().message;
  return trace.value_or(Trace{});
}

std::string error_of(std::string_view text, const JobFileOptions& options = {}) {
  const auto trace = parse_job_file(text, "jobs.toml", options);
  return trace ? "no error" : trace.error().message;
}

TEST(JobFile, ReadsEveryField) {
  JobFileOptions options;
  options.site_rails = 0xff;
  const Trace jobs = jobs_of(R"(
[[job]]
name = "pretrain"
user = "ada"
vc = "research"
submit = "2026-01-05 09:00:00"
runtime = "36h"
estimate = "48h"
nodes = 12
gpus = 8
cpus = 96
memory = "1TiB"
partition = "h100"
gpu_model = "H100"
features = ["nvlink", "ib", "ib"]
worst_grade = "good"
rails = "all"
priority = -3
require = "pod"
prefer = "unit"
segment = { nodes = 4, level = "unit" }
exclusive = "unit"
)",
                             options);
  ASSERT_EQ(jobs.size(), 1U);
  TraceJob want;
  want.submit = *parse_instant("2026-01-05 09:00:00");
  want.runtime = 36h;
  want.vc = "research";
  Job& job = want.job;
  job.name = "pretrain";
  job.user = "ada";
  job.estimate = 48h;
  job.gang = {12, {8, 96000, 1 << 20}, {}};
  job.requirement = {"h100", {"H100"}, {"ib", "nvlink"}, Grade::kGood, 0xff};
  job.priority = -3;
  job.wish = {Level::kPod, Level::kUnit, 4, Level::kUnit, Level::kUnit};
  EXPECT_EQ(jobs[0], want);
}

TEST(JobFile, DefaultsStandForWhatAJobDoesNotSay) {
  const Trace jobs = jobs_of(R"(
[defaults]
user = "ada"
gpus = 8
runtime = "1h"
estimate = "2h"
[[job]]
nodes = 2
[[job]]
user = "bob"
time_limit = "3h"
[[job]]
total_gpus = 20
)");
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].job.user, "ada");
  EXPECT_EQ(jobs[0].job.gang, (Gang{2, {8, 0, 0}, {}}));
  EXPECT_EQ(jobs[0].job.estimate, 2h);
  EXPECT_EQ(jobs[1].job.user, "bob");
  EXPECT_EQ(jobs[1].job.estimate, 3h);
  // Another way to say the size: the default does not count.
  EXPECT_EQ(jobs[2].gpus, 20U);
  EXPECT_EQ(jobs[2].job.gang, Gang{});
}

TEST(JobFile, TheEstimateIsTheRuntimeWhereNothingElseIsSaid) {
  const Trace jobs = jobs_of("[[job]]\ngpus = 1\nruntime = 90.5\n");
  EXPECT_EQ(jobs[0].runtime, 90'500ms);
  EXPECT_EQ(jobs[0].job.estimate, 90'500ms);
  EXPECT_EQ(jobs[0].submit, Instant());
}

TEST(JobFile, SubmitIsADateOrAnOffset) {
  const Trace jobs = jobs_of(R"(
[defaults]
runtime = 1
gpus = 1
[[job]]
submit = 2026-01-05
[[job]]
submit = 2026-01-05 09:00:00
[[job]]
submit = "2026-01-05 09:00:00"
[[job]]
submit = "10m"
[[job]]
submit = 600
)");
  EXPECT_EQ(jobs[0].submit, *parse_instant("2026-01-05"));
  EXPECT_EQ(jobs[1].submit, *parse_instant("2026-01-05 09:00:00"));
  EXPECT_EQ(jobs[2].submit, jobs[1].submit);
  EXPECT_EQ(jobs[3].submit, Instant() + Duration(10min));
  EXPECT_EQ(jobs[4].submit, jobs[3].submit);
}

TEST(JobFile, CountRepeatsAJobWithGapsAndNumbers) {
  const Trace jobs = jobs_of(
      "[[job]]\nname = \"a\"\ngpus = 1\nruntime = 1\nsubmit = 10\ncount = 3\nevery = \"5m\"\n");
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].job.name, "a-1");
  EXPECT_EQ(jobs[2].job.name, "a-3");
  EXPECT_EQ(jobs[2].submit - jobs[0].submit, Duration(10min));
}

TEST(JobFile, RailsAreAListOrThoseOfTheSite) {
  const Trace jobs = jobs_of(
      "[[job]]\ngpus = 1\nruntime = 1\nrails = [0, 3]\n"
      "[[job]]\ngpus = 1\nruntime = 1\nrails = \"all\"\n");
  EXPECT_EQ(jobs[0].job.requirement.rails, 0b1001);
  EXPECT_EQ(jobs[1].job.requirement.rails, 0) << "a pool without a fabric has no rails";
}

TEST(JobFile, ATailIsOneMoreNode) {
  const Trace jobs = jobs_of(
      "[[job]]\nnodes = 2\ngpus = 8\nruntime = 1\ntail = { gpus = 4, memory = \"64GiB\" }\n"
      "memory = \"128GiB\"\n");
  EXPECT_EQ(jobs[0].job.gang, (Gang{2, {8, 0, 131072}, {4, 0, 65536}}));
}

TEST(JobFile, CpusMayBeFractionsAndAGpuShared) {
  const Trace jobs = jobs_of(
      "[defaults]\ngpus = 8\nruntime = 1\n"
      "[[job]]\ngpu_share = 0.46\ncpus = 0.5\ngpu_model = [\"T4\", \"G2\", \"T4\"]\n"
      "[[job]]\ncpus = 2\n");
  EXPECT_EQ(jobs[0].job.gang.per_node, (Capacity{0, 500, 0, 460})) << "instead of whole GPUs";
  EXPECT_EQ(jobs[0].job.requirement.gpu_models, (std::vector<std::string>{"G2", "T4"}));
  EXPECT_EQ(jobs[1].job.gang.per_node, (Capacity{8, 2000, 0, 0}));
}

TEST(JobFile, AShareIsOfOneGpuOnOneNode) {
  const auto job = [](const std::string& line) {
    return error_of("[[job]]\nruntime = 1\n" + line + "\n");
  };
  EXPECT_EQ(
      job("gpu_share = 1"),
      "jobs.toml:3: gpu_share: expected a number from 0.001 to 0.999 in thousandths, found 1");
  EXPECT_EQ(job("gpu_share = 0.0005"),
            "jobs.toml:3: gpu_share: expected a number from 0.001 to 0.999 in thousandths, found "
            "0.0005");
  EXPECT_EQ(job("cpus = 0.00001"),
            "jobs.toml:3: cpus: expected a number from 0 to 4294967.295 in thousandths, found "
            "1e-05");
  EXPECT_EQ(job("gpus = 1\ngpu_share = 0.5"),
            "jobs.toml:4: gpus and gpu_share exclude each other: keep one");
  EXPECT_EQ(job("nodes = 2\ngpu_share = 0.5"),
            "jobs.toml:1: job: a share of a GPU: expected one node and no whole GPU beside it");
}

TEST(JobFile, UnknownKeysAreErrorsWithASuggestion) {
  EXPECT_EQ(error_of("[[job]]\ngpus = 1\nruntme = 5\n"),
            "jobs.toml:3: unknown key \"runtme\": did you mean runtime?");
  EXPECT_EQ(error_of("[[job]]\ngpus = 1\nruntime = 5\ncolour = 5\n"),
            "jobs.toml:4: unknown key \"colour\"");
  EXPECT_EQ(error_of("[[jobs]]\ngpus = 1\n"),
            "jobs.toml:1: unknown key \"jobs\": did you mean job?");
  EXPECT_EQ(error_of("[default]\n"),
            "jobs.toml:1: unknown key \"default\": did you mean defaults?");
  EXPECT_EQ(error_of("[defaults]\nusr = \"a\"\n"),
            "jobs.toml:2: unknown key \"usr\": did you mean user?");
  EXPECT_EQ(error_of("[[job]]\nruntime = 1\nsegment = { nodes = 4, leve = \"unit\" }\n"),
            "jobs.toml:3: segment: unknown key \"leve\": did you mean level?");
}

TEST(JobFile, ErrorsNameLineFieldExpectedAndFound) {
  const auto job = [](const std::string& line) {
    return error_of("[[job]]\nruntime = 1\n" + line + "\n");
  };
  EXPECT_EQ(job("gpus = 0.5"),
            "jobs.toml:3: gpus: expected a whole number from 0 to 32, found 0.5");
  EXPECT_EQ(job("gpus = 33"), "jobs.toml:3: gpus: expected a whole number from 0 to 32, found 33");
  EXPECT_EQ(job("nodes = 0"),
            "jobs.toml:3: nodes: expected a whole number from 1 to 32768, found 0");
  EXPECT_EQ(job("total_gpus = 0"),
            "jobs.toml:3: total_gpus: expected a whole number from 1 to 131072, found 0");
  EXPECT_EQ(job("estimate = -1"),
            "jobs.toml:3: estimate: expected seconds from 0 to 63072000, found -1");
  EXPECT_EQ(
      job("estimate = true"),
      "jobs.toml:3: estimate: expected a duration like \"90s\", \"15m\" or \"1.5h\", found true");
  EXPECT_EQ(job("submit = \"soon\""),
            "jobs.toml:3: submit: expected a date YYYY-MM-DD HH:MM:SS or a duration like \"90s\", "
            "\"15m\" or \"1.5h\", found \"soon\"");
  EXPECT_EQ(job("memory = \"64GB\""),
            "jobs.toml:3: memory: expected a size like \"64GiB\" (MiB, GiB or TiB, below 4096TiB), "
            "found \"64GB\"");
  EXPECT_EQ(job("require = \"rack\""),
            "jobs.toml:3: require: expected one of block, unit, pod, fabric, site, found \"rack\"");
  EXPECT_EQ(job("worst_grade = 1"),
            "jobs.toml:3: worst_grade: expected one of good, watch, poor, bad, found 1");
  EXPECT_EQ(job("rails = [16]"),
            "jobs.toml:3: rails: expected a whole number from 0 to 15, found 16");
  EXPECT_EQ(job("rails = \"none\""),
            "jobs.toml:3: rails: expected \"all\" or a list like [0, 1], found \"none\"");
  EXPECT_EQ(job("tail = 4"), "jobs.toml:3: tail: expected a table like { gpus = 4 }, found 4");
  EXPECT_EQ(job("features = \"ib\""),
            "jobs.toml:3: features: expected a list of texts like [\"a\", \"b\"], found \"ib\"");
  EXPECT_EQ(job("name = 5"), "jobs.toml:3: name: expected a text in quotes, found 5");
}

TEST(JobFile, AJobThatCannotBeIsNamed) {
  EXPECT_EQ(error_of("\n[[job]]\nname = \"a\"\nruntime = 1\n"),
            "jobs.toml:2: job \"a\": the gang asks for nothing: expected GPUs, CPUs or memory");
  EXPECT_EQ(error_of("[[job]]\ngpus = 1\n"),
            "jobs.toml:1: job: runtime is missing: how long does it run?");
  EXPECT_EQ(error_of("[[job]]\nruntime = 1\nnodes = 6\ngpus = 8\nsegment = { nodes = 4 }\n"),
            "jobs.toml:1: job: segment = 4: expected a divisor of the 6 nodes of the gang");
}

TEST(JobFile, TwoWaysToSayTheSameExcludeEachOther) {
  EXPECT_EQ(error_of("[[job]]\nruntime = 1\ntotal_gpus = 8\nnodes = 2\n"),
            "jobs.toml:4: total_gpus and nodes exclude each other: keep one");
  EXPECT_EQ(error_of("[defaults]\nestimate = 1\ntime_limit = 8\n"),
            "jobs.toml:3: estimate and time_limit exclude each other: keep one");
}

TEST(JobFile, AFileWithoutJobsIsAnError) {
  EXPECT_EQ(error_of(""), "jobs.toml: no job: expected at least one [[job]]");
  EXPECT_EQ(error_of("job = 3\n"), "jobs.toml:1: job: expected tables [[job]]");
  EXPECT_EQ(error_of("job = [3]\n"), "jobs.toml:1: job: expected tables [[job]]");
  EXPECT_EQ(error_of("defaults = 3\n"), "jobs.toml:1: defaults: expected a table [defaults]");
}

TEST(JobFile, TheFilterAndTheLimitApply) {
  const std::string text =
      "[[job]]\nvc = \"a\"\ngpus = 1\nruntime = 1\ncount = 10\nevery = 60\n"
      "[[job]]\nvc = \"b\"\ngpus = 1\nruntime = 1\n";
  JobFileOptions options;
  options.filter.vc = "a";
  options.filter.to = Instant() + Duration(3min);
  EXPECT_EQ(jobs_of(text, options).size(), 3U);
  options.filter.vc = "c";
  EXPECT_EQ(error_of(text, options), "jobs.toml: no job has the VC \"c\"; there are a, b");
  options.most_jobs = 10;
  EXPECT_EQ(error_of(text, options), "jobs.toml:7: the file describes more than 10 jobs");
}

rc::Gen<std::string> any_text() {
  return rc::gen::map(
      rc::gen::container<std::vector<char32_t>>(rc::gen::oneOf(
          rc::gen::inRange<char32_t>(0x00, 0x80), rc::gen::inRange<char32_t>(0xe0, 0x17f))),
      [](const std::vector<char32_t>& letters) {
        std::string text;
        for (const char32_t letter : letters) {
          if (text.size() > limits::kNameBytes - 2) break;
          if (letter < 0x80) {
            text += static_cast<char>(letter);
          } else {
            text += static_cast<char>(0xc0 | letter >> 6);
            text += static_cast<char>(0x80 | (letter & 0x3f));
          }
        }
        return text;
      });
}

rc::Gen<std::optional<Level>> any_level() {
  return rc::gen::map(rc::gen::inRange<std::uint32_t>(0, kLevels + 1), [](std::uint32_t level) {
    return level == kLevels ? std::nullopt : std::optional(static_cast<Level>(level));
  });
}

Capacity any_capacity(const Capacity& most) {
  return {*rc::gen::inRange<std::uint32_t>(0, most.gpus + 1),
          *rc::gen::inRange<std::uint32_t>(0, most.cpu_milli + 1),
          *rc::gen::inRange<std::uint32_t>(0, most.memory_mib + 1)};
}

TraceJob any_job() {
  const std::int64_t longest = limits::kLongestDuration.count();
  TraceJob row;
  row.submit = Instant(*rc::gen::inRange<std::int64_t>(-longest, 60 * longest));
  row.runtime = Duration(*rc::gen::inRange<std::int64_t>(0, longest + 1));
  row.vc = *any_text();
  Job& job = row.job;
  job.name = *any_text();
  job.user = *any_text();
  job.estimate = Duration(*rc::gen::inRange<std::int64_t>(0, longest + 1));
  job.priority = *rc::gen::arbitrary<std::int64_t>();
  if (*rc::gen::arbitrary<bool>()) {
    row.gpus = *rc::gen::inRange<std::uint64_t>(1, limits::kGpus + 1);
  } else if (*rc::gen::inRange(0, 4) == 0) {
    job.gang.per_node = any_capacity({0, UINT32_MAX - 1, 1000});
    job.gang.per_node.gpu_milli = *rc::gen::inRange<std::uint32_t>(1, kWholeMilli);
  } else {
    job.gang.nodes = *rc::gen::inRange<std::uint32_t>(1, limits::kNodes);
    job.gang.per_node = any_capacity({limits::kGpusPerNode, 100'000, UINT32_MAX - 1});
    job.gang.tail = any_capacity(job.gang.per_node);
    if (job.gang.per_node == Capacity{}) job.gang.per_node.gpus = 1;
    if (!job.gang.has_tail() && *rc::gen::arbitrary<bool>()) {
      job.wish.segment_nodes = job.gang.nodes;
      job.wish.segment_level = static_cast<Level>(*rc::gen::inRange<std::uint32_t>(0, kLevels));
    }
  }
  job.wish.require = *any_level();
  job.wish.prefer = *any_level();
  job.wish.exclusive = *any_level();
  Requirement& requirement = job.requirement;
  requirement.partition = *any_text();
  requirement.gpu_models =
      *rc::gen::element(std::vector<std::string>{}, std::vector<std::string>{"a"},
                        std::vector<std::string>{"a", "b"});
  requirement.features =
      *rc::gen::element(std::vector<std::string>{}, std::vector<std::string>{"a", "b \"c\""});
  requirement.worst_grade = static_cast<Grade>(*rc::gen::inRange<std::uint32_t>(0, kGrades));
  requirement.rails = *rc::gen::arbitrary<RailMask>();
  return row;
}

RC_GTEST_PROP(JobFile, WhatIsWrittenReadsBackEqual, ()) {
  Trace jobs;
  const auto count = *rc::gen::inRange<std::size_t>(1, 4);
  for (std::size_t i = 0; i < count; ++i) jobs.push_back(any_job());
  const std::string text = job_file_text(jobs);
  const auto back = parse_job_file(text, "written.toml");
  if (!back) RC_FAIL(back.error().message + "\n" + text);
  if (*back != jobs) RC_FAIL(text);
}

}  // namespace
}  // namespace weir
