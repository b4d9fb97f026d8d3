// Jobs of a log simulated a second: arrivals, ends, planning, journal encoding and hash, figures.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/text.hpp"
#include "benches.hpp"
#include "data.hpp"
#include "sim/simulation.hpp"
#include "sim/workload.hpp"
#include "timings.hpp"

namespace weir::bench {
namespace {

constexpr int kRounds = 3;

struct Log {
  std::string name;
  sim::SimulatedPool pool;
  Trace trace;
};

// Philly's two busy months on 64 nodes, as the golden figures use it.
Result<Log> philly() {
  Trace trace =
      WEIR_TRY(read_philly({"", *parse_instant("2017-10-01"), *parse_instant("2017-12-01")}));
  return Log{"Philly", sim::flat_pool(64, 8), std::move(trace)};
}

// Three weeks of the small jobs of our generator, at a load that leaves a queue.
Result<Log> generated() {
  sim::WorkloadOptions options;
  options.kind = sim::WorkloadKind::kSmall;
  options.pool_gpus = 1'024;
  options.start = *parse_instant("2026-01-05");
  options.length = std::chrono::days(21);
  options.load = 1.0;
  Trace trace = WEIR_TRY(sim::generate_workload(options));
  return Log{"generated", sim::flat_pool(128, 8), std::move(trace)};
}

Result<double> bench_order(const Log& log, std::string_view order, sched::Backfill backfill,
                           BenchReport& report) {
  sim::SimulationOptions options;
  options.settings.order = order;
  options.settings.backfill = backfill;
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    const double begin = cpu_seconds();
    WEIR_TRY(sim::simulate(log.pool, log.trace, options));
    best = std::min(best, cpu_seconds() - begin);
  }
  const auto jobs = static_cast<double>(log.trace.size());
  report.row(fmt::format("{}, {}, {}", log.name, order,
                         backfill == sched::Backfill::kEasy ? "EASY" : "strict"),
             {jobs, best, jobs / best});
  return jobs / best;
}

}  // namespace

Status bench_replay(const BenchOptions& /*options*/, BenchReport& report) {
  report.table("Replay: simulated jobs, one core, reading the log not counted", "log and policy",
               {"jobs", "CPU s", "jobs/s"});
  std::vector<Log> logs;
  if (auto log = philly()) {
    logs.push_back(*std::move(log));
  } else {
    report.note(log.error().message);
  }
  logs.push_back(WEIR_TRY(generated()));
  for (const sched::Backfill backfill : {sched::Backfill::kNone, sched::Backfill::kEasy}) {
    double slowest = std::numeric_limits<double>::max();
    for (const Log& log : logs)
      for (const std::string_view order : {"fifo", "sjf", "gputime", "priority"})
        slowest = std::min(slowest, WEIR_TRY(bench_order(log, order, backfill, report)));
    report.bar({fmt::format("replay, {}, slowest order and log",
                            backfill == sched::Backfill::kEasy ? "EASY" : "strict"),
                "jobs/s", slowest, 100'000, true});
  }
  return {};
}

}  // namespace weir::bench
