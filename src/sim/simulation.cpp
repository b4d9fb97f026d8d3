#include "sim/simulation.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "core/engine.hpp"
#include "sim/figures.hpp"

namespace weir::sim {
namespace {

constexpr std::uint64_t kProgressEvery = 256;

// A submission: the trace's row and its job with a gang.
struct Arrival {
  Instant at;
  std::uint32_t row = 0;
  friend auto operator<=>(const Arrival&, const Arrival&) = default;
};

struct End {
  Instant at;
  JobId job;
  friend auto operator<=>(const End&, const End&) = default;
};

class Run {
 public:
  Run(const SimulatedPool& pool, const Trace& trace, const SimulationOptions& options,
      core::Engine engine)
      : pool_(pool),
        trace_(trace),
        options_(options),
        engine_(std::move(engine)),
        gpus_per_node_(pool.gpus_per_node()) {}

  Result<RunResult> run();

 private:
  Status read_arrivals();
  Status set_up(Instant at);
  Status turn(Instant now);
  // Puts an instant onto the grid of rounds.
  [[nodiscard]] Instant on_grid(Instant at) const;
  void collect(Instant now, std::vector<Event>& events, std::vector<std::uint32_t>& rows);
  void started(const JobStarted& decision);
  void give_up_waiting();
  void finish(RunResult& result);

  const SimulatedPool& pool_;
  const Trace& trace_;
  const SimulationOptions& options_;
  core::Engine engine_;
  std::uint32_t gpus_per_node_;
  std::vector<Arrival> arrivals_;  // by time, then row
  std::size_t next_arrival_ = 0;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::vector<std::uint32_t> rows_;   // [JobId - 1]
  std::vector<JobOutcome> outcomes_;  // [row]
  std::vector<UnitShare> shares_;
  std::vector<std::pair<DomainId, double>> units_of_job_;
  std::uint64_t done_ = 0;
};

Status Run::read_arrivals() {
  arrivals_.reserve(trace_.size());
  outcomes_.resize(trace_.size());
  for (std::uint32_t row = 0; row < trace_.size(); ++row) {
    arrivals_.push_back({trace_[row].submit, row});
    outcomes_[row].submit = trace_[row].submit;
  }
  std::ranges::sort(arrivals_);
  return {};
}

Status Run::set_up(Instant at) {
  std::vector<Event> events;
  events.emplace_back(LocalityLearned{pool_.locality});
  for (const Node& node : pool_.nodes) events.emplace_back(NodeJoined{node});
  const core::TurnResult turn = WEIR_TRY(engine_.turn(at, std::move(events)));
  if (!turn.rejected.empty()) return std::unexpected(turn.rejected.front().error);
  return {};
}

Instant Run::on_grid(Instant at) const {
  if (options_.round <= Duration::zero()) return at;
  const std::int64_t round = options_.round.count();
  const std::int64_t over = ((at.microseconds() % round) + round) % round;
  return over == 0 ? at : at + Duration(round - over);
}

Result<RunResult> Run::run() {
  WEIR_TRY(read_arrivals());
  if (!arrivals_.empty()) WEIR_TRY(set_up(arrivals_.front().at));
  while (next_arrival_ < arrivals_.size() || !ends_.empty()) {
    Instant next = Instant::far_future();
    if (next_arrival_ < arrivals_.size()) next = arrivals_[next_arrival_].at;
    if (!ends_.empty()) next = std::min(next, ends_.top().at);
    WEIR_TRY(turn(on_grid(next)));
  }
  RunResult result;
  finish(result);
  return result;
}

void Run::collect(Instant now, std::vector<Event>& events, std::vector<std::uint32_t>& rows) {
  for (; !ends_.empty() && ends_.top().at <= now; ends_.pop()) {
    events.emplace_back(JobEnded{ends_.top().job});
    ++done_;
  }
  for (; next_arrival_ < arrivals_.size() && arrivals_[next_arrival_].at <= now; ++next_arrival_) {
    const std::uint32_t row = arrivals_[next_arrival_].row;
    const TraceJob& traced = trace_[row];
    Job job = traced.job;
    if (traced.gpus > 0) job.gang = gang_of_gpus(traced.gpus, gpus_per_node_);
    outcomes_[row].gpus = job.gang.gpus();
    outcomes_[row].gpu_milli = job.gang.per_node.gpu_milli;
    outcomes_[row].nodes = job.gang.node_count();
    rows.push_back(row);
    events.emplace_back(JobSubmitted{std::move(job)});
  }
}

Status Run::turn(Instant now) {
  std::vector<Event> events;
  std::vector<std::uint32_t> rows;
  const std::uint64_t before = done_;
  collect(now, events, rows);
  const core::TurnResult turn = WEIR_TRY(engine_.turn(now, std::move(events)));
  if (!turn.rejected.empty()) {
    const core::Rejected& first = turn.rejected.front();
    return bad_input(fmt::format("a job submitted at {} cannot be taken: {}", format_instant(now),
                                 first.error.message));
  }
  for (std::size_t i = 0; i < turn.submitted.size(); ++i) {
    WEIR_ASSERT(turn.submitted[i].value() == rows_.size() + 1);
    outcomes_[rows[i]].job = turn.submitted[i];
    rows_.push_back(rows[i]);
  }
  for (const Decision& decision : turn.decisions) {
    if (const auto* start = std::get_if<JobStarted>(&decision)) {
      started(*start);
    } else if (const auto* refused = std::get_if<JobRefused>(&decision)) {
      JobOutcome& outcome = outcomes_[rows_[refused->job.index() - 1]];
      outcome.refused = true;
      outcome.refusal = sentence(refused->reason);
      ++done_;
    }
  }
  if (options_.progress && before / kProgressEvery != done_ / kProgressEvery)
    options_.progress(done_);
  return {};
}

void Run::started(const JobStarted& decision) {
  const std::uint32_t row = rows_[decision.job.index() - 1];
  JobOutcome& outcome = outcomes_[row];
  outcome.start = decision.lease.start;
  outcome.end = decision.lease.start + trace_[row].runtime;
  ends_.push({outcome.end, decision.job});
  if (!pool_.locality.known) return;
  const auto& index = engine_.state().pool().free();
  const std::size_t unit_depth = index.depth_of(Level::kUnit);
  const std::size_t pod_depth = index.depth_of(Level::kPod);
  units_of_job_.clear();
  DomainId last_pod = DomainId::none();
  for (const LeasePart& part : decision.lease.parts) {
    const DomainId cell = index.cell_of(part.node);
    const DomainId unit = index.ancestor(cell, unit_depth);
    const double gpus = static_cast<double>(pool::held_by(part).milli_gpus()) / kWholeMilli;
    // Parts lie along the fabric; only a tail may come back to an earlier unit.
    const auto known = std::ranges::find(units_of_job_, unit, &std::pair<DomainId, double>::first);
    if (known != units_of_job_.end()) {
      known->second += gpus;
      continue;
    }
    units_of_job_.emplace_back(unit, gpus);
    const DomainId pod = index.ancestor(cell, pod_depth);
    if (pod != last_pod) ++outcome.pods;
    last_pod = pod;
  }
  outcome.units = static_cast<std::uint32_t>(units_of_job_.size());
  for (const auto& [unit, gpus] : units_of_job_) shares_.push_back({row, unit, gpus});
}

// What still waits when nothing more can happen will never start: nodes are drained or graded too
// low, or somebody who waits forever is before it.
void Run::give_up_waiting() {
  for (const JobId job : engine_.state().jobs()) {
    JobOutcome& outcome = outcomes_[rows_[job.index() - 1]];
    outcome.refused = true;
    outcome.refusal = sentence(engine_.planner().explain(engine_.state(), job));
  }
}

void Run::finish(RunResult& result) {
  give_up_waiting();
  result.order = options_.settings.order;
  result.placement = options_.settings.placement;
  result.backfill = options_.settings.backfill == sched::Backfill::kEasy ? "easy" : "none";
  result.journal_hash = engine_.journal_hash();
  result.outcomes = std::move(outcomes_);
  PoolSize size{pool_.gpus(), 0};
  if (pool_.locality.known)
    for (const LevelTable& table : pool_.locality.levels)
      if (table.level == Level::kUnit)
        size.units = static_cast<std::uint32_t>(table.domains.size());
  fill_figures(size, shares_, options_.series_steps, result);
}

}  // namespace

std::uint64_t SimulatedPool::gpus() const {
  std::uint64_t sum = 0;
  for (const Node& node : nodes) sum += node.kind.total.gpus;
  return sum;
}

std::uint32_t SimulatedPool::gpus_per_node() const {
  std::map<std::uint32_t, std::size_t> nodes_with;
  for (const Node& node : nodes) ++nodes_with[node.kind.total.gpus];
  std::uint32_t usual = 1;
  std::size_t most = 0;
  for (const auto& [gpus, count] : nodes_with) {
    if (gpus == 0 || count < most) continue;
    usual = gpus;
    most = count;
  }
  return usual;
}

SimulatedPool flat_pool(std::uint32_t nodes, std::uint32_t gpus_per_node) {
  SimulatedPool pool{flat_locality(), {}};
  for (std::uint32_t i = 0; i < nodes; ++i) {
    Node node;
    node.name = fmt::format("node{:04}", i + 1);
    node.kind.total.gpus = gpus_per_node;
    node.cell = DomainId(0);
    pool.nodes.push_back(std::move(node));
  }
  return pool;
}

Result<RunResult> simulate(const SimulatedPool& pool, const Trace& trace,
                           const SimulationOptions& options) {
  Run run(pool, trace, options, WEIR_TRY(core::Engine::make(options.settings, options.journal)));
  return run.run();
}

}  // namespace weir::sim
