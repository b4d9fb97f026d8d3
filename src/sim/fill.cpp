#include "sim/fill.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "core/engine.hpp"
#include "sched/placement/fragments.hpp"

namespace weir::sim {
namespace {

std::uint64_t milli_of(const TraceJob& row) {
  return row.gpus > 0 ? row.gpus * kWholeMilli : row.job.gang.milli_gpus();
}

template <typename T>
void shuffle(std::vector<T>& items, Rng& rng) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<std::size_t>(rng.below(i))]);
}

class Fill {
 public:
  Fill(const SimulatedPool& pool, const Trace& trace, core::Engine engine)
      : pool_(pool), trace_(trace), engine_(std::move(engine)) {}

  Status set_up() {
    std::vector<Event> events;
    events.emplace_back(LocalityLearned{pool_.locality});
    for (const Node& node : pool_.nodes) events.emplace_back(NodeJoined{node});
    const core::TurnResult turn = WEIR_TRY(engine_.turn(now_, std::move(events)));
    if (!turn.rejected.empty()) return std::unexpected(turn.rejected.front().error);
    return {};
  }

  // The row's job comes; the one before it has gone if it did not start.
  Status come(std::uint32_t row) {
    now_ = now_ + Duration(1);
    std::vector<Event> events;
    if (!waiting_.is_none()) events.emplace_back(JobCancelled{waiting_});
    Job job = job_of_row(trace_[row], pool_.gpus_per_node());
    job.estimate = limits::kLongestDuration;
    events.emplace_back(JobSubmitted{std::move(job)});
    const core::TurnResult turn = WEIR_TRY(engine_.turn(now_, std::move(events)));
    if (!turn.rejected.empty())
      return bad_input(
          fmt::format("task {} cannot be taken: {}", row + 1, turn.rejected.front().error.message));
    waiting_ = turn.submitted.front();
    for (const Decision& decision : turn.decisions) {
      if (std::holds_alternative<StartPromised>(decision)) continue;
      waiting_ = JobId::none();
      if (std::holds_alternative<JobStarted>(decision)) ++placed_;
    }
    return {};
  }

  [[nodiscard]] const core::Engine& engine() const { return engine_; }
  [[nodiscard]] std::uint64_t placed() const { return placed_; }

 private:
  const SimulatedPool& pool_;
  const Trace& trace_;
  core::Engine engine_;
  Instant now_;
  JobId waiting_ = JobId::none();
  std::uint64_t placed_ = 0;
};

double fragmented_pct(const pool::Pool& pool, const sched::FragmentMeasure& measure) {
  const auto fragments = static_cast<double>(measure.of_all(pool.free()));
  return 100 * fragments / static_cast<double>(measure.total()) /
         static_cast<double>(pool.ledger().gpus * kWholeMilli);
}

}  // namespace

Job job_of_row(const TraceJob& row, std::uint32_t gpus_per_node) {
  Job job = row.job;
  if (row.gpus > 0) job.gang = gang_of_gpus(row.gpus, gpus_per_node);
  return job;
}

Result<std::vector<std::uint32_t>> draw_rows(const SimulatedPool& pool, const Trace& trace,
                                             double fill, Rng& rng) {
  const auto wanted = static_cast<std::uint64_t>(
      std::llround(fill * static_cast<double>(pool.gpus()) * kWholeMilli));
  std::vector<std::uint32_t> rows;
  std::uint64_t asked = 0;
  for (std::uint32_t row = 0; row < trace.size(); ++row) {
    rows.push_back(row);
    asked += milli_of(trace[row]);
  }
  if (asked == 0) return bad_input("no task asks for a GPU: a pool cannot be filled with them");
  while (asked < wanted) {
    if (rows.size() >= limits::kTraceJobs)
      return over_limit(
          fmt::format("{} times the pool takes more than {} tasks", fill, limits::kTraceJobs));
    rows.push_back(static_cast<std::uint32_t>(rng.below(trace.size())));
    asked += milli_of(trace[rows.back()]);
  }
  shuffle(rows, rng);
  std::size_t come = 0;
  for (asked = 0; come < rows.size() && asked < wanted; ++come)
    asked += milli_of(trace[rows[come]]);
  rows.resize(come);
  return rows;
}

SimulatedPool with_shuffled_nodes(const SimulatedPool& pool, Rng& rng) {
  SimulatedPool shuffled = pool;
  shuffle(shuffled.nodes, rng);
  return shuffled;
}

Result<FillResult> fill_pool(const SimulatedPool& pool, const Trace& trace,
                             const std::vector<std::uint32_t>& rows,
                             const sched::Settings& settings, core::FrameSink journal) {
  Fill fill(pool, trace, WEIR_TRY(core::Engine::make(settings, std::move(journal))));
  WEIR_TRY(fill.set_up());
  const pool::Pool& filled = fill.engine().state().pool();
  const sched::FragmentMeasure measure(settings.typical, filled.classes());
  const std::uint64_t whole = pool.gpus() * kWholeMilli;
  FillResult result;
  std::uint64_t asked = 0;
  for (const std::uint32_t row : rows) {
    WEIR_TRY(fill.come(row));
    asked += milli_of(trace[row]);
    if (measure.total() == 0) continue;
    if (!result.fragmented_at_80 && asked * 100 >= whole * 80)
      result.fragmented_at_80 = fragmented_pct(filled, measure);
    if (!result.fragmented_at_100 && asked >= whole)
      result.fragmented_at_100 = fragmented_pct(filled, measure);
  }
  result.tasks = rows.size();
  result.placed = fill.placed();
  if (whole > 0)
    result.allocated_pct =
        100 * static_cast<double>(filled.ledger().leased_milli) / static_cast<double>(whole);
  result.journal_hash = fill.engine().journal_hash();
  return result;
}

}  // namespace weir::sim
