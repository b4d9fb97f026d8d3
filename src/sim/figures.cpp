#include "sim/figures.hpp"

#include <algorithm>
#include <optional>

namespace weir::sim {
namespace {

// Sums weight x time over steps of equal length.
class StepSums {
 public:
  StepSums(Instant begin, Duration step, std::size_t steps)
      : begin_(begin), step_(step), edges_(steps + 1, 0), partial_(steps + 1, 0) {}

  void add(Instant from, Instant to, double weight) {
    if (to <= from) return;
    add_from(from, weight);
    add_from(to, -weight);
  }

  [[nodiscard]] std::vector<double> means() const {
    std::vector<double> result;
    double level = 0;
    for (std::size_t i = 0; i + 1 < edges_.size(); ++i) {
      level += edges_[i];
      // Differences of large sums leave dust where nothing is.
      const double mean = level + partial_[i];
      result.push_back(mean > 1e-9 ? mean : 0);
    }
    return result;
  }

 private:
  // From `at` to the end of time: whole steps after it, its share of the step it falls in.
  void add_from(Instant at, double weight) {
    const std::int64_t offset = (at - begin_).count();
    const auto index = static_cast<std::size_t>(offset / step_.count());
    if (index + 1 >= edges_.size()) return;
    const double rest =
        1.0 - static_cast<double>(offset % step_.count()) / static_cast<double>(step_.count());
    partial_[index] += weight * rest;
    edges_[index + 1] += weight;
  }

  Instant begin_;
  Duration step_;
  std::vector<double> edges_;    // change of the level at the begin of each step
  std::vector<double> partial_;  // what falls into one step alone
};

struct Span {
  Instant first = Instant::far_future();
  Instant last;
};

Span span_of(const std::vector<JobOutcome>& outcomes) {
  Span span;
  for (const JobOutcome& outcome : outcomes) {
    if (outcome.refused) continue;
    span.first = std::min(span.first, outcome.submit);
    span.last = std::max(span.last, outcome.end);
  }
  return span;
}

void fill_series(const PoolSize& pool, const std::vector<UnitShare>& shares, std::uint32_t steps,
                 RunResult& result) {
  const Span span = span_of(result.outcomes);
  if (span.last <= span.first || steps == 0) return;
  Series& series = result.series;
  series.begin = span.first;
  const std::int64_t length = (span.last - span.first).count();
  series.step = Duration((length + steps - 1) / steps);
  const auto sums = [&] { return StepSums(series.begin, series.step, steps); };
  StepSums busy = sums();
  StepSums queued = sums();
  for (const JobOutcome& outcome : result.outcomes) {
    if (outcome.refused) continue;
    busy.add(outcome.start, outcome.end, outcome.all_gpus());
    queued.add(outcome.submit, outcome.start, 1);
  }
  series.busy_gpus = busy.means();
  series.queued_jobs = queued.means();
  std::vector<StepSums> by_unit(pool.units, sums());
  for (const UnitShare& share : shares) {
    const JobOutcome& outcome = result.outcomes[share.row];
    by_unit[share.unit.index()].add(outcome.start, outcome.end, share.gpus);
  }
  for (const StepSums& unit : by_unit) series.busy_gpus_by_unit.push_back(unit.means());
}

// Share of the jobs on several nodes for which `touches` is more than one.
std::optional<double> share_beyond_one(const RunResult& result,
                                       std::uint32_t JobOutcome::* touches) {
  if (result.multi_node_jobs == 0) return 0.0;
  const auto beyond = std::ranges::count_if(result.outcomes, [&](const JobOutcome& outcome) {
    return !outcome.refused && outcome.nodes > 1 && outcome.*touches > 1;
  });
  return static_cast<double>(beyond) / static_cast<double>(result.multi_node_jobs);
}

}  // namespace

Distribution distribution(std::vector<Duration> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  double sum = 0;
  for (const Duration value : values) sum += seconds(value);
  const auto rank = [&](std::size_t percent) {
    return seconds(values[(values.size() * percent + 99) / 100 - 1]);
  };
  return {sum / static_cast<double>(values.size()), rank(50), rank(95), rank(99)};
}

void fill_figures(const PoolSize& pool, const std::vector<UnitShare>& shares, std::uint32_t steps,
                  RunResult& result) {
  std::vector<Duration> completions;
  std::vector<Duration> waits;
  double gpu_seconds = 0;
  for (const JobOutcome& outcome : result.outcomes) {
    if (outcome.refused) {
      ++result.refused;
      continue;
    }
    ++result.jobs;
    completions.push_back(outcome.end - outcome.submit);
    waits.push_back(outcome.start - outcome.submit);
    gpu_seconds += seconds(outcome.end - outcome.start) * outcome.all_gpus();
    if (outcome.nodes > 1) ++result.multi_node_jobs;
  }
  result.completion = distribution(std::move(completions));
  result.wait = distribution(std::move(waits));
  const Span span = span_of(result.outcomes);
  if (result.jobs > 0 && span.last > span.first && pool.gpus > 0)
    result.utilisation =
        gpu_seconds / (seconds(span.last - span.first) * static_cast<double>(pool.gpus));
  if (pool.units > 0) {
    result.multi_unit_jobs = share_beyond_one(result, &JobOutcome::units);
    result.multi_pod_jobs = share_beyond_one(result, &JobOutcome::pods);
  }
  fill_series(pool, shares, steps, result);
}

}  // namespace weir::sim
