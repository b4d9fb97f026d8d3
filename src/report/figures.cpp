#include "report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

enum class Better { kNone, kLow, kHigh };

using Pick = std::function<std::optional<double>(const sim::RunResult&)>;

struct Heading {
  std::string group;
  std::string title;
  Keep keep = Keep::kAlways;
};

std::vector<std::optional<double>> picked(const sim::Comparison& comparison, const Pick& pick) {
  std::vector<std::optional<double>> values;
  for (const sim::RunResult& run : comparison.runs) values.push_back(pick(run));
  return values;
}

// Cells that read the same as the best one are all best; where all read the same, none is.
std::vector<bool> best_cells(const std::vector<std::optional<double>>& values,
                             const std::vector<std::string>& cells, Better better) {
  std::vector<bool> best(cells.size(), false);
  std::optional<std::size_t> winner;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i] || !std::isfinite(*values[i])) continue;
    if (!winner ||
        (better == Better::kLow ? *values[i] < *values[*winner] : *values[i] > *values[*winner]))
      winner = i;
  }
  if (better == Better::kNone || !winner) return best;
  if (std::all_of(cells.begin(), cells.end(), [&](const auto& c) { return c == cells[0]; }))
    return best;
  for (std::size_t i = 0; i < cells.size(); ++i) best[i] = cells[i] == cells[*winner];
  return best;
}

Column numeric(Heading heading, const std::vector<std::optional<double>>& values, int decimals,
               Better better) {
  Column column{
      std::move(heading.group), std::move(heading.title), heading.keep, false, {}, {}, {}};
  for (const auto& value : values) column.cells.push_back(value ? fixed(*value, decimals) : "–");
  column.best = best_cells(values, column.cells, better);
  return column;
}

// Whole seconds, but a decimal where whole ones would hide a small value or all are small.
int second_decimals(const std::vector<std::optional<double>>& values) {
  bool all_small = true;
  for (const auto& value : values) {
    if (value && *value > 0 && *value < 10) return 1;
    if (value && *value >= 1000) all_small = false;
  }
  return all_small ? 1 : 0;
}

Column in_seconds(const sim::Comparison& comparison, Heading heading, const Pick& pick) {
  const auto values = picked(comparison, pick);
  Column column = numeric(std::move(heading), values, second_decimals(values), Better::kLow);
  for (const auto& value : values) column.notes.push_back(value ? humane_seconds(*value) : "");
  return column;
}

Column in_percent(const sim::Comparison& comparison, Heading heading, const Pick& pick,
                  Better better) {
  auto values = picked(comparison, pick);
  for (auto& value : values)
    if (value) *value *= 100;
  return numeric(std::move(heading), values, 1, better);
}

Column texts(const sim::Comparison& comparison, std::string title,
             std::string sim::RunResult::* field) {
  Column column{"", std::move(title), Keep::kAlways, true, {}, {}, {}};
  for (const sim::RunResult& run : comparison.runs) column.cells.push_back(clean_text(run.*field));
  column.best.assign(column.cells.size(), false);
  return column;
}

void add_times(const sim::Comparison& comparison, std::vector<Column>& columns) {
  const auto add = [&](const char* group, const char* title, Keep keep, const Pick& pick) {
    columns.push_back(in_seconds(comparison, {group, title, keep}, pick));
  };
  using Run = const sim::RunResult&;
  add("completion, s", "mean", Keep::kAlways, [](Run run) { return run.completion.mean; });
  add("completion, s", "p50", Keep::kP50, [](Run run) { return run.completion.p50; });
  add("completion, s", "p95", Keep::kP95, [](Run run) { return run.completion.p95; });
  add("completion, s", "p99", Keep::kP99, [](Run run) { return run.completion.p99; });
  add("wait, s", "mean", Keep::kMeanWait, [](Run run) { return run.wait.mean; });
  add("wait, s", "p99", Keep::kWaitP99, [](Run run) { return run.wait.p99; });
}

}  // namespace

bool has_topology(const sim::Comparison& comparison) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(),
                     [](const auto& run) { return run.multi_unit_jobs.has_value(); });
}

bool backfill_differs(const sim::Comparison& comparison) {
  const auto& runs = comparison.runs;
  return std::any_of(runs.begin(), runs.end(),
                     [&](const auto& run) { return run.backfill != runs.front().backfill; });
}

std::string run_name(const sim::Comparison& comparison, const sim::RunResult& run) {
  std::string name = clean_text(run.order) + " / " + clean_text(run.placement);
  if (backfill_differs(comparison)) name += " / " + clean_text(run.backfill);
  return name;
}

double planned_per_second(const sim::RunResult& run) {
  if (!(run.planning_seconds > 0)) return 0;
  return static_cast<double>(run.jobs + run.refused) / run.planning_seconds;
}

std::vector<Column> figure_columns(const sim::Comparison& comparison) {
  using Run = const sim::RunResult&;
  const auto count = [&](Heading heading, std::uint64_t sim::RunResult::* field) {
    const auto values =
        picked(comparison, [&](Run run) { return static_cast<double>(run.*field); });
    return numeric(std::move(heading), values, 0, Better::kNone);
  };
  std::vector<Column> columns;
  columns.push_back(texts(comparison, "order", &sim::RunResult::order));
  columns.push_back(texts(comparison, "placement", &sim::RunResult::placement));
  if (backfill_differs(comparison))
    columns.push_back(texts(comparison, "backfill", &sim::RunResult::backfill));
  columns.push_back(count({"", "jobs", Keep::kJobs}, &sim::RunResult::jobs));
  if (std::any_of(comparison.runs.begin(), comparison.runs.end(),
                  [](Run run) { return run.refused > 0; }))
    columns.push_back(count({"", "refused", Keep::kAlways}, &sim::RunResult::refused));
  add_times(comparison, columns);
  columns.push_back(in_percent(
      comparison, {"GPUs", "busy %", Keep::kUtilisation}, [](Run run) { return run.utilisation; },
      Better::kHigh));
  if (has_topology(comparison)) {
    columns.push_back(in_percent(
        comparison, {"over several, %", "units", Keep::kUnits},
        [](Run run) { return run.multi_unit_jobs; }, Better::kLow));
    columns.push_back(in_percent(
        comparison, {"over several, %", "pods", Keep::kPods},
        [](Run run) { return run.multi_pod_jobs; }, Better::kLow));
  }
  const auto speed = picked(comparison, [](Run run) -> std::optional<double> {
    const double rate = planned_per_second(run);
    return rate > 0 ? std::optional(rate) : std::nullopt;
  });
  columns.push_back(numeric({"planned", "jobs/s", Keep::kSpeed}, speed, 0, Better::kNone));
  return columns;
}

}  // namespace weir::report
