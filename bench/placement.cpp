// Placement decisions at 16,384 nodes x 8 GPUs. The timed piece is LoadedPool::decide(), or, for
// gangs that can never start, sched::why_never().
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "benches.hpp"
#include "counters.hpp"
#include "loaded_pool.hpp"
#include "sched/explain/explain.hpp"
#include "timings.hpp"

namespace weir::bench {
namespace {

constexpr double kNotAvailable = std::numeric_limits<double>::quiet_NaN();

// How much is done for one line of the table.
struct Effort {
  std::size_t decisions = 20'000;  // of a round at most
  double seconds = 0.1;            // of timed work in a round at most
  int rounds = 3;                  // the one with the most decisions a second counts
  std::size_t samples = 60;        // answers compared with the slow placer's
};
constexpr Effort kQuickEffort{60, 10, 1, 30};

struct Case {
  std::string name;
  Job job;
};

Job with(Job job, const std::function<void(Job&)>& change) {
  change(job);
  return job;
}

std::vector<Case> cases() {
  return {
      {"1 GPU", gpu_job(1, 1)},
      {"8 GPUs, 1 node", gpu_job(1, 8)},
      {"4 nodes", gpu_job(4, 8)},
      {"32 nodes", gpu_job(32, 8)},
      {"128 nodes", gpu_job(128, 8)},
      {"512 nodes", gpu_job(512, 8)},
      {"1 GPU, 24 CPUs", with(gpu_job(1, 1), [](Job& j) { j.gang.per_node.cpu_milli = 24'000; })},
      {"1 GPU, 200 GiB",
       with(gpu_job(1, 1), [](Job& j) { j.gang.per_node.memory_mib = 200 * 1024; })},
      {"1 GPU, 190 CPUs", with(gpu_job(1, 1), [](Job& j) { j.gang.per_node.cpu_milli = 190'000; })},
      {"1 GPU, partition", with(gpu_job(1, 1), [](Job& j) { j.requirement.partition = "small"; })},
      {"1 GPU, features",
       with(gpu_job(1, 1), [](Job& j) { j.requirement.features = {"hbm141", "sharp"}; })},
      {"4 nodes, 100 CPUs each",
       with(gpu_job(4, 8), [](Job& j) { j.gang.per_node.cpu_milli = 100'000; })},
      {"4 nodes, 1.5 TiB each",
       with(gpu_job(4, 8), [](Job& j) { j.gang.per_node.memory_mib = 1536 * 1024; })},
      {"4 nodes, partition",
       with(gpu_job(4, 8), [](Job& j) { j.requirement.partition = "large"; })},
      {"4 nodes, features",
       with(gpu_job(4, 8), [](Job& j) { j.requirement.features = {"nvlink4", "sharp"}; })},
      {"4 nodes of 4 GPUs", gpu_job(4, 4)},
      {"32 nodes, one unit", with(gpu_job(32, 8), [](Job& j) { j.wish.require = Level::kUnit; })},
  };
}

std::vector<Case> impossible_cases() {
  return {
      {"never: 20,000 nodes", gpu_job(20'000, 8)},
      {"never: 64 nodes in one unit",
       with(gpu_job(64, 8), [](Job& j) { j.wish.require = Level::kUnit; })},
      {"never: 16 GPUs a node", gpu_job(4, 16)},
      {"never: 512 nodes, no such partition",
       with(gpu_job(512, 8), [](Job& j) { j.requirement.partition = "none"; })},
      {"never: 1 GPU, 4 TiB",
       with(gpu_job(1, 1), [](Job& j) { j.gang.per_node.memory_mib = 4 * 1024 * 1024; })},
  };
}

// One line: many decisions on a pool that stays at its load.
class Line {
 public:
  // `next` gives the question of each decision.
  using Next = std::function<const Ask&()>;

  Line(LoadedPool& pool, const Effort& effort, Next next)
      : pool_(pool), effort_(effort), next_(std::move(next)) {}

  void run() {
    for (int round = 0; round < effort_.rounds; ++round) {
      const Timings timings = time_round();
      const Summary summary = timings.summary();
      if (summary.per_second > best_.per_second) best_ = summary;
    }
    count_instructions();
    compare();
  }

  [[nodiscard]] std::vector<double> figures() const {
    return {static_cast<double>(placed_) / static_cast<double>(asked_) * 100,
            best_.per_second,
            best_.p50,
            best_.p99,
            best_.max,
            instructions_};
  }
  [[nodiscard]] const Summary& best() const { return best_; }
  [[nodiscard]] std::uint64_t compared() const { return compared_; }
  [[nodiscard]] std::uint64_t different() const { return different_; }

 private:
  Timings time_round() {
    Timings timings;
    while (timings.count() < effort_.decisions && timings.total_seconds() < effort_.seconds) {
      const Ask& ask = next_();
      count(timings.time([&] { return pool_.decide(ask); }));
      pool_.settle(ask);
    }
    return timings;
  }

  void count_instructions() {
    const auto counter = InstructionCounter::open();
    if (!counter) return;
    std::uint64_t sum = 0;
    const std::size_t decisions = std::min<std::size_t>(effort_.decisions, 500);
    for (std::size_t i = 0; i < decisions; ++i) {
      const Ask& ask = next_();
      const std::uint64_t before = counter->read();
      pool_.decide(ask);
      sum += counter->read() - before;
      pool_.settle(ask);
    }
    instructions_ = static_cast<double>(sum) / static_cast<double>(decisions);
  }

  void compare() {
    for (std::size_t i = 0; i < effort_.samples; ++i) {
      const Ask& ask = next_();
      const std::optional<Level> expected = pool_.slow().smallest_level(ask.job);
      count(pool_.decide(ask));
      ++compared_;
      if (pool_.decided_level() != expected) ++different_;
      pool_.settle(ask);
    }
  }

  void count(bool placed) {
    ++asked_;
    if (placed) ++placed_;
  }

  LoadedPool& pool_;
  Effort effort_;
  Next next_;
  Summary best_;
  double instructions_ = kNotAvailable;
  std::uint64_t asked_ = 0;
  std::uint64_t placed_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t different_ = 0;
};

void print_line(BenchReport& report, std::string name, Line& line) {
  line.run();
  report.row(std::move(name), line.figures());
  report.compared(line.compared(), line.different());
}

// Times a question about a pool that does not change: an explanation.
Summary time_reason(const Effort& effort, const std::function<bool()>& answers) {
  Summary best;
  for (int round = 0; round < effort.rounds; ++round) {
    Timings timings;
    while (timings.count() < effort.decisions && timings.total_seconds() < effort.seconds) {
      if (!timings.time(answers)) return {};
    }
    const Summary summary = timings.summary();
    if (summary.per_second > best.per_second) best = summary;
  }
  return best;
}

// Gangs that no state of this site lets start: refused with the reason.
double bench_never(const LoadedPool& pool, const Effort& effort, BenchReport& report) {
  double slowest_p99 = 0;
  for (const Case& one : impossible_cases()) {
    const Ask ask = pool.ask(one.name, one.job);
    const Summary best = time_reason(
        effort, [&] { return sched::why_never(pool.pool(), ask.shape).code != ReasonCode::kNone; });
    const bool slow_says_never = !pool.slow().smallest_level_when_idle(one.job).has_value();
    report.compared(1, slow_says_never && best.count > 0 ? 0 : 1);
    report.row(one.name, {0, best.per_second, best.p50, best.p99, best.max, kNotAvailable});
    slowest_p99 = std::max(slowest_p99, best.p99);
  }
  return slowest_p99;
}

// A gang that must wait now: the placer's "no", and the reason for the user.
double bench_not_now(LoadedPool& pool, const Effort& effort, BenchReport& report) {
  const auto nodes = static_cast<std::uint32_t>(pool.pool().nodes() / 4 * 3);
  const Ask ask =
      pool.ask(fmt::format("not now: {} nodes", with_thousands(nodes)), gpu_job(nodes, 8));
  Line line(pool, effort, [&]() -> const Ask& { return ask; });
  print_line(report, ask.name, line);
  const Summary best = time_reason(
      effort, [&] { return sched::why_not_now(pool.pool(), ask.shape).code == ReasonCode::kBusy; });
  report.row("  and why", {0, best.per_second, best.p50, best.p99, best.max, kNotAvailable});
  report.compared(1, best.count > 0 ? 0 : 1);
  return std::max(line.best().p99, best.p99);
}

const std::vector<std::string> kColumns{"placed %", "decisions/s", "p50 ns",
                                        "p99 ns",   "max ns",      "instructions"};

// What the bars need, worst of all loads.
struct Worst {
  double mixed_per_second = std::numeric_limits<double>::max();
  double mixed_p99 = 0;
  double gang_p99 = 0;
  double impossible_p99 = 0;
};

void bench_load(const Cluster& cluster, double load, const Effort& effort, Worst& worst,
                BenchReport& report) {
  LoadedPool pool(cluster, load, /*seed=*/1);
  report.table(fmt::format("Placement: {} nodes, {:.1f} % of the GPUs leased by {} jobs",
                           with_thousands(cluster.nodes.size()), pool.load() * 100,
                           with_thousands(pool.running())),
               "decision", kColumns);
  Line mixed(pool, effort, [&]() -> const Ask& { return pool.draw(); });
  print_line(report, "the mix", mixed);
  worst.mixed_per_second = std::min(worst.mixed_per_second, mixed.best().per_second);
  worst.mixed_p99 = std::max(worst.mixed_p99, mixed.best().p99);
  for (const Case& one : cases()) {
    const Ask ask = pool.ask(one.name, one.job);
    Line line(pool, effort, [&]() -> const Ask& { return ask; });
    print_line(report, one.name, line);
    if (one.job.gang.nodes == 512) worst.gang_p99 = std::max(worst.gang_p99, line.best().p99);
  }
  if (load > 0.3)
    worst.impossible_p99 = std::max(worst.impossible_p99, bench_not_now(pool, effort, report));
  worst.impossible_p99 = std::max(worst.impossible_p99, bench_never(pool, effort, report));
  report.compared(pool.wrong_leases(), pool.wrong_leases());
}

void bench_growth(const Effort& effort, BenchReport& report) {
  report.table("Placement: growth with the pool, 90 % load, the mix", "nodes", kColumns);
  for (const std::uint32_t nodes : {1'024U, 4'096U, 16'384U}) {
    const Cluster cluster = make_cluster(nodes);
    LoadedPool pool(cluster, 0.9, /*seed=*/2);
    Line line(pool, effort, [&]() -> const Ask& { return pool.draw(); });
    print_line(report, with_thousands(nodes), line);
    report.compared(pool.wrong_leases(), pool.wrong_leases());
  }
}

}  // namespace

Status bench_placement(const BenchOptions& options, BenchReport& report) {
  const Effort effort = options.quick ? kQuickEffort : Effort{};
  const Cluster cluster = make_cluster(options.quick ? 2'048 : 16'384);
  Worst worst;
  for (const double load : {0.0, 0.5, 0.9, 0.99}) bench_load(cluster, load, effort, worst, report);
  if (options.quick) return {};
  bench_growth(effort, report);
  report.bar({"scored placements, 16,384 nodes, the mix, slowest load", "/s",
              worst.mixed_per_second, 100'000, true});
  report.bar({"  their p99, slowest load", "us", worst.mixed_p99 / 1e3, 100, false});
  report.bar({"512-node gang, p99, slowest load", "us", worst.gang_p99 / 1e3, 1'000, false});
  report.bar({"impossible gang with its reason, p99, slowest load", "us",
              worst.impossible_p99 / 1e3, 1'000, false});
  return {};
}

}  // namespace weir::bench
