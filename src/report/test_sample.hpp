// A small made-up comparison for the tests of this folder: two orders, two placements, two units.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/time.hpp"
#include "sim/result.hpp"

namespace weir::report::testing {

inline Instant instant(const char* text) { return parse_instant(text).value(); }

inline sim::JobOutcome outcome(std::uint64_t job, std::int64_t submit, std::int64_t wait,
                               std::uint64_t gpus) {
  const Instant begin = instant("2017-10-01");
  const auto after = [&](std::int64_t s) { return begin + Duration(s * 1'000'000); };
  return {.job = JobId(job),
          .submit = after(submit),
          .start = after(submit + wait),
          .end = after(submit + wait + 600),
          .gpus = gpus,
          .nodes = static_cast<std::uint32_t>((gpus + 7) / 8),
          .units = 1,
          .pods = 1,
          .refused = false,
          .refusal = ""};
}

inline sim::RunResult run(std::string order, std::string placement, double mean, double units) {
  sim::RunResult result;
  result.order = std::move(order);
  result.placement = std::move(placement);
  result.backfill = "none";
  result.jobs = 1234;
  result.completion = {mean, mean / 2, mean * 3, mean * 5};
  result.wait = {mean - 100, 0.4, mean, mean * 2};
  result.utilisation = 0.71;
  result.multi_unit_jobs = units;
  result.multi_pod_jobs = units / 2;
  result.multi_node_jobs = 200;
  result.journal_hash = "00ff";
  result.planning_seconds = 0.01;
  result.outcomes = {outcome(1, 0, 0, 1), outcome(2, 60, 90, 4), outcome(3, 120, 4000, 16)};
  result.series = {.begin = instant("2017-10-01"),
                   .step = std::chrono::hours(1),
                   .busy_gpus = {16, 8, 4},
                   .queued_jobs = {0, 3, 1},
                   .busy_gpus_by_unit = {{8, 8, 4}, {8, 0, 0}}};
  return result;
}

inline sim::Comparison sample() {
  sim::Comparison comparison;
  comparison.pool = "2 nodes x 8 GPUs, 2 units, 2 pods (small.ibnetdiscover)";
  comparison.trace = "made-up, 1,234 jobs, 2017-10-01 .. 2017-10-02";
  comparison.nodes = 2;
  comparison.gpus = 16;
  comparison.units = {{"unit 1", "pod 1", 8}, {"unit 2", "pod 2", 8}};
  comparison.offered_load = 0.8;
  comparison.seed = 7;
  comparison.runs = {run("fifo", "weir", 17100, 0.04), run("fifo", "firstfit", 17200, 0.6),
                     run("sjf", "weir", 1000, 0.04), run("sjf", "firstfit", 1010, 0.61)};
  return comparison;
}

inline sim::Comparison without_topology(sim::Comparison comparison) {
  comparison.units.clear();
  for (sim::RunResult& result : comparison.runs) {
    result.multi_unit_jobs.reset();
    result.multi_pod_jobs.reset();
    result.series.busy_gpus_by_unit.clear();
  }
  return comparison;
}

}  // namespace weir::report::testing
