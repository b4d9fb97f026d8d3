// Whole turns of the core's engine: event taken in, planned, recorded (encoded and hashed),
// applied.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "benches.hpp"
#include "engine_site.hpp"

namespace weir::bench {
namespace {

struct Queue {
  std::uint32_t nodes;
  std::size_t pending;
  double full_plan_bar_ms;  // 0: the design has none
};

void print(BenchReport& report, std::string name, const Timings& timings) {
  const Summary summary = timings.summary();
  report.row(std::move(name),
             {summary.per_second, summary.p50 / 1e3, summary.p99 / 1e3, summary.max / 1e3});
}

// One job a turn, as they come: it starts at once, or others end until it does.
void bench_single_turns(const Cluster& cluster, BenchReport& report) {
  constexpr std::size_t kTurns = 20'000;
  EngineSite site(cluster, sched::Backfill::kNone, /*seed=*/3);
  site.fill_to(0.9);
  Timings submits;
  Timings ends;
  while (submits.count() < kTurns) {
    site.turn({site.submission()}, &submits);
    while (site.load() > 0.9 || site.engine().planner().pending() > 0)
      site.turn({site.end_of_any()}, &ends);
  }
  print(report, "a submission that starts", submits);
  print(report, "the end of a job", ends);
}

// EASY over a long queue: each end of a job makes the planner look at all that wait.
void bench_queue(const Queue& queue, BenchReport& report) {
  const Cluster cluster = make_cluster(queue.nodes);
  EngineSite site(cluster, sched::Backfill::kEasy, /*seed=*/4);
  std::vector<Event> all = site.submissions(queue.pending);
  const double begin = cpu_seconds();
  site.turn(std::move(all));
  const double at_once = cpu_seconds() - begin;
  site.queue_up(queue.pending, std::max<std::size_t>(queue.pending / 4, 500));
  const std::string size = fmt::format("{} pending, {} nodes", with_thousands(queue.pending),
                                       with_thousands(queue.nodes));
  const std::size_t turns = queue.pending > 10'000 ? 50 : 200;
  Timings ends;
  Timings submits;
  Timings full;
  for (std::size_t i = 0; i < turns; ++i) {
    site.turn({site.end_of_any()}, &ends);
    site.turn({site.submission()}, &submits);
  }
  // A grade that changes makes everything known about the inventory void.
  for (std::size_t i = 0; i < turns / 10; ++i)
    site.turn({NodeGraded{NodeId(0), i % 2 == 0 ? Grade::kWatch : Grade::kGood}}, &full);
  // Too long for no other thread to come between: CPU time.
  report.row("all at once: " + size, {1 / at_once, at_once * 1e6, at_once * 1e6, at_once * 1e6});
  print(report, "a job ends: " + size, ends);
  print(report, "a submission: " + size, submits);
  print(report, "all anew: " + size, full);
  if (queue.full_plan_bar_ms > 0)
    report.bar({"full plan, EASY: " + size, "ms", std::max(at_once * 1e3, full.summary().p50 / 1e6),
                queue.full_plan_bar_ms, false});
  report.bar({"one event, EASY: " + size, "ms", ends.summary().p50 / 1e6, 5, false});
}

}  // namespace

Status bench_turns(const BenchOptions& /*options*/, BenchReport& report) {
  report.table("Turns of the engine: 16,384 nodes, 90 % load, strict order", "turn",
               {"turns/s", "p50 us", "p99 us", "max us"});
  bench_single_turns(make_cluster(16'384), report);
  report.table("Turns with EASY backfill behind a full pool", "turn",
               {"turns/s", "p50 us", "p99 us", "max us"});
  for (const Queue& queue : {Queue{1'024, 1'000, 0}, Queue{1'024, 5'000, 100},
                             Queue{16'384, 1'000, 0}, Queue{16'384, 100'000, 1'000}})
    bench_queue(queue, report);
  return {};
}

}  // namespace weir::bench
