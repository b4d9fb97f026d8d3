#include "sim/workload.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "formats/job_file.hpp"

namespace weir::sim {
namespace {

using namespace std::chrono_literals;

Trace jobs_of(const WorkloadOptions& options) {
  auto trace = generate_workload(options);
  EXPECT_TRUE(trace) << trace.error().message;
  return trace.value_or(Trace{});
}

WorkloadOptions of_kind(WorkloadKind kind) {
  WorkloadOptions options;
  options.kind = kind;
  return options;
}

double gpu_seconds(const TraceJob& job) {
  return static_cast<double>(job.gpus) * seconds(job.runtime);
}

double load_of(const Trace& jobs, const WorkloadOptions& options) {
  double asked = 0;
  for (const TraceJob& job : jobs) asked += gpu_seconds(job);
  return asked / (static_cast<double>(options.pool_gpus) * seconds(options.length));
}

double share(const Trace& jobs, auto condition) {
  return static_cast<double>(std::ranges::count_if(jobs, condition)) /
         static_cast<double>(jobs.size());
}

double quantile(const Trace& jobs, double at) {
  std::vector<double> runtimes;
  for (const TraceJob& job : jobs) runtimes.push_back(seconds(job.runtime));
  std::ranges::sort(runtimes);
  return runtimes[static_cast<std::size_t>(at * static_cast<double>(runtimes.size()))];
}

TEST(Workload, EqualSeedsGiveEqualJobsAndOthersDoNot) {
  for (const WorkloadKind kind :
       {WorkloadKind::kSmall, WorkloadKind::kGangs, WorkloadKind::kMixed}) {
    WorkloadOptions options = of_kind(kind);
    const Trace first = jobs_of(options);
    EXPECT_EQ(first, jobs_of(options));
    options.seed = 2;
    EXPECT_NE(first, jobs_of(options));
  }
}

TEST(Workload, OffersTheLoadThatIsAskedFor) {
  for (const WorkloadKind kind : {WorkloadKind::kSmall, WorkloadKind::kGangs, WorkloadKind::kMixed})
    for (const double load : {0.1, 1.3})
      for (const std::uint64_t pool : {64U, 1024U}) {
        WorkloadOptions options = of_kind(kind);
        options.load = load;
        options.pool_gpus = pool;
        EXPECT_NEAR(load_of(jobs_of(options), options) / load, 1, 0.01)
            << to_text(kind) << " load " << load << " pool " << pool;
      }
}

TEST(Workload, JobsComeByTimeWithinTheLengthAndAreValid) {
  WorkloadOptions options;
  options.start = *parse_instant("2026-01-05");
  options.length = 60h;  // the last day is not whole
  const Trace jobs = jobs_of(options);
  EXPECT_TRUE(std::ranges::is_sorted(jobs, {}, &TraceJob::submit));
  EXPECT_GE(jobs.front().submit, options.start);
  EXPECT_LT(jobs.back().submit, options.start + options.length);
  EXPECT_GT(jobs.back().submit, options.start + Duration(55h));
  for (const TraceJob& job : jobs) {
    EXPECT_GE(job.runtime, 1s);
    EXPECT_LE(job.runtime, 30h);
    EXPECT_EQ(job.runtime, job.job.estimate);
    EXPECT_LE(job.gpus, options.pool_gpus);
  }
}

// Microsoft Philly's published facts (traces-and-papers.md 1.1), on a length that cuts only the
// far end of the tail.
TEST(Workload, SmallJobsHaveTheShapeOfPhilly) {
  WorkloadOptions options = of_kind(WorkloadKind::kSmall);
  options.pool_gpus = 2500;
  options.length = std::chrono::days(28);
  const Trace jobs = jobs_of(options);
  ASSERT_GT(jobs.size(), 20'000U);
  const auto of_size = [](std::uint64_t gpus) {
    return [gpus](const TraceJob& job) { return job.gpus == gpus; };
  };
  EXPECT_NEAR(share(jobs, of_size(1)), 0.932, 0.005);
  EXPECT_NEAR(share(jobs, of_size(2)), 0.022, 0.004);
  EXPECT_NEAR(share(jobs, of_size(4)), 0.023, 0.004);
  EXPECT_NEAR(share(jobs, of_size(8)), 0.020, 0.004);
  EXPECT_NEAR(share(jobs, [](const TraceJob& job) { return job.gpus >= 16; }), 0.003, 0.002);
  EXPECT_NEAR(quantile(jobs, 0.5) / 1'144, 1, 0.1);
  EXPECT_NEAR(quantile(jobs, 0.9) / 11'265, 1, 0.15);
  EXPECT_NEAR(quantile(jobs, 0.99) / 254'758, 1, 0.25);
  double large = 0;
  double all = 0;
  for (const TraceJob& job : jobs) {
    all += gpu_seconds(job);
    if (job.gpus >= 8) large += gpu_seconds(job);
  }
  EXPECT_NEAR(large / all, 0.62, 0.08);
}

TEST(Workload, AWeekHoldsTheMedianAndNoJobLongerThanHalfOfIt) {
  const WorkloadOptions options = of_kind(WorkloadKind::kSmall);
  const Trace jobs = jobs_of(options);
  EXPECT_NEAR(quantile(jobs, 0.5) / 1'144, 1, 0.1);
  for (const TraceJob& job : jobs) EXPECT_LE(job.runtime, 84h);
}

TEST(Workload, GangsAreWholeNodesOfManySizes) {
  WorkloadOptions options = of_kind(WorkloadKind::kGangs);
  options.length = std::chrono::days(60);
  const Trace jobs = jobs_of(options);
  ASSERT_GT(jobs.size(), 500U);
  const auto nodes = [&](const TraceJob& job) { return job.gpus / options.gpus_per_node; };
  for (const TraceJob& job : jobs) {
    EXPECT_EQ(job.gpus % options.gpus_per_node, 0U);
    EXPECT_GE(nodes(job), 2U);
    EXPECT_LE(nodes(job), 64U);
    EXPECT_LE(job.runtime, 72h);
  }
  EXPECT_GT(share(jobs, [&](const TraceJob& job) { return std::has_single_bit(nodes(job)); }), 0.7);
  for (const std::uint64_t odd : {12U, 20U, 24U, 40U})
    EXPECT_GT(share(jobs, [&](const TraceJob& job) { return nodes(job) == odd; }), 0.0) << odd;
  EXPECT_GT(quantile(jobs, 0.1), 3600);
  EXPECT_GT(quantile(jobs, 0.95), 86'400);
}

TEST(Workload, NoGangIsBiggerThanAskedOrThanThePool) {
  WorkloadOptions options = of_kind(WorkloadKind::kGangs);
  options.biggest_gang = 10;
  for (const TraceJob& job : jobs_of(options)) EXPECT_LE(job.gpus, 80U);
  options.pool_gpus = 40;
  for (const TraceJob& job : jobs_of(options)) EXPECT_LE(job.gpus, 40U);
}

TEST(Workload, GangsHaveTheirShareOfAMixedLoad) {
  WorkloadOptions options;
  options.gang_share = 0.6;
  const Trace jobs = jobs_of(options);
  double gangs = 0;
  double all = 0;
  for (const TraceJob& job : jobs) {
    all += gpu_seconds(job);
    if (job.vc == "gangs") gangs += gpu_seconds(job);
  }
  EXPECT_NEAR(gangs / all, 0.6, 0.01);
}

TEST(Workload, MoreJobsComeByDayThanByNight) {
  WorkloadOptions options = of_kind(WorkloadKind::kSmall);
  options.length = std::chrono::days(28);
  const Trace jobs = jobs_of(options);
  std::array<double, 24> hours{};
  for (const TraceJob& job : jobs)
    ++hours.at(static_cast<std::size_t>(job.submit.microseconds() / 3'600'000'000 % 24));
  // Helios: 543 jobs in the hour from 16 o'clock, 186 in that from 7.
  EXPECT_NEAR(hours[16] / hours[7], 543.0 / 186.0, 0.4);
}

TEST(Workload, WritesAsAJobFile) {
  const Trace jobs = jobs_of({});
  const auto back = parse_job_file(job_file_text(jobs), "workload.toml");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, jobs);
}

TEST(Workload, RefusesOptionsOutOfTheirRange) {
  const auto error_of = [](auto change) {
    WorkloadOptions options;
    change(options);
    const auto trace = generate_workload(options);
    return trace ? std::string("no error") : trace.error().message;
  };
  EXPECT_EQ(error_of([](auto& o) { o.pool_gpus = 0; }), "pool of 0 GPUs: expected 1 to 131,072");
  EXPECT_EQ(error_of([](auto& o) { o.gpus_per_node = 33; }), "33 GPUs a node: expected 1 to 32");
  EXPECT_EQ(error_of([](auto& o) { o.length = 1min; }),
            "length of 1m 00s: expected 1 hour to 730d 00h");
  EXPECT_EQ(error_of([](auto& o) { o.load = 0; }), "load of 0: expected above 0 and at most 10");
  EXPECT_EQ(error_of([](auto& o) { o.load = std::nan(""); }),
            "load of nan: expected above 0 and at most 10");
  EXPECT_EQ(error_of([](auto& o) { o.gang_share = 1.1; }), "gang share of 1.1: expected 0 to 1");
  EXPECT_EQ(error_of([](auto& o) { o.pool_gpus = 8; }),
            "gangs have at least 2 nodes: a pool of 1 nodes and a biggest gang of 64 hold none");
}

TEST(Workload, RefusesMoreJobsThanAJobFileHolds) {
  WorkloadOptions options = of_kind(WorkloadKind::kSmall);
  options.pool_gpus = 131'072;
  options.length = std::chrono::days(365);
  const auto trace = generate_workload(options);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, Errc::kLimit);
}

// Figures of the published curves, which the tables in job_shapes.cpp hold only in parts.
TEST(Workload, IsShapedAsHelios) {
  WorkloadOptions options = of_kind(WorkloadKind::kHelios);
  options.length = std::chrono::days(60);
  const Trace jobs = jobs_of(options);
  EXPECT_NEAR(quantile(jobs, 0.5), 206, 20);
  EXPECT_NEAR(share(jobs, [](const TraceJob& job) { return job.gpus == 1; }), 0.722, 0.01);
  EXPECT_NEAR(share(jobs, [](const TraceJob& job) { return job.gpus >= 16; }), 0.053, 0.005);
}

TEST(Workload, IsShapedAsAcme) {
  WorkloadOptions options = of_kind(WorkloadKind::kAcme);
  options.pool_gpus = 2288;
  options.length = std::chrono::days(60);
  const Trace jobs = jobs_of(options);
  const auto pretrains = [](const TraceJob& job) { return job.vc == "pretrain"; };
  EXPECT_NEAR(share(jobs, [](const TraceJob& job) { return job.vc == "evaluation"; }), 0.649, 0.01);
  EXPECT_NEAR(share(jobs, pretrains), 0.009, 0.002);
  EXPECT_NEAR(quantile(jobs, 0.5), 122, 35) << "straight between 64 and 256 s";
  double all = 0;
  double pretrain = 0;
  for (const TraceJob& job : jobs) {
    all += gpu_seconds(job);
    if (pretrains(job)) pretrain += gpu_seconds(job);
  }
  EXPECT_NEAR(pretrain / all, 0.695, 0.15);
}

TEST(WorkloadKind, ReadsBackItsName) {
  for (const WorkloadKind kind : {WorkloadKind::kSmall, WorkloadKind::kGangs, WorkloadKind::kMixed})
    EXPECT_EQ(parse_workload_kind(to_text(kind)), kind);
  EXPECT_EQ(
      parse_workload_kind("big").error().message,
      "\"big\" is no kind of workload: expected one of small, gangs, mixed, philly, helios, acme");
}

}  // namespace
}  // namespace weir::sim
