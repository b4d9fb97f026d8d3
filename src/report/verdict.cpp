#include "report/verdict.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "report/figures.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

using sim::Comparison;
using sim::RunResult;
using Runs = std::vector<const RunResult*>;

Runs orders_beside(const Comparison& comparison, const RunResult& run) {
  Runs same;
  for (const RunResult& other : comparison.runs)
    if (other.placement == run.placement && other.backfill == run.backfill) same.push_back(&other);
  return same;
}

bool sooner(const RunResult* a, const RunResult* b) {
  return a->completion.mean < b->completion.mean;
}

// "17.1 × sooner than", "3.2 % sooner than", or nothing where the means are as good as equal.
std::optional<std::string> how_much_sooner(double fast, double slow) {
  if (!(fast > 0) || slow / fast < 1.0005) return std::nullopt;
  if (slow / fast >= 1.5) return times(slow / fast);
  return percent(1 - fast / slow);
}

std::optional<std::string> about_orders(const Comparison& comparison) {
  const RunResult& best = leading_run(comparison);
  const Runs runs = orders_beside(comparison, best);
  const auto is_fifo = [](const RunResult* run) { return run->order == "fifo"; };
  const auto fifo = std::find_if(runs.begin(), runs.end(), is_fifo);
  const RunResult& slow = fifo != runs.end() && *fifo != &best
                              ? **fifo
                              : **std::max_element(runs.begin(), runs.end(), sooner);
  if (slow.order == best.order) {
    if (std::all_of(runs.begin(), runs.end(), [&](auto* r) { return r->order == best.order; }))
      return std::nullopt;
    return "All orders finish jobs equally soon on average.";
  }
  const auto much = how_much_sooner(best.completion.mean, slow.completion.mean);
  const std::string names = clean_text(best.order);
  if (!much)
    return fmt::format("{} and {} finish jobs equally soon on average, to 0.05 %.", names,
                       clean_text(slow.order));
  const bool several_placements = placements_beside(comparison, best).size() > 1;
  return fmt::format("{} finishes jobs {} sooner than {} on average: after {} instead of {}{}.",
                     names, *much, clean_text(slow.order), humane_seconds(best.completion.mean),
                     humane_seconds(slow.completion.mean),
                     several_placements ? " under " + clean_text(best.placement) : "");
}

// "under weir 4 % of multi-node jobs cross units, 61 % under firstfit and 66 % under random"
std::string shares_by_placement(const Runs& runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string share = percent(*runs[i]->multi_unit_jobs);
    const std::string name = clean_text(runs[i]->placement);
    if (i == 0)
      text = fmt::format("under {} {} of multi-node jobs cross units", name, share);
    else
      text += fmt::format("{}{} under {}", i + 1 == runs.size() ? " and " : ", ", share, name);
  }
  return text;
}

// How far the means of completion lie apart, where nothing is known of units.
std::optional<std::string> spread_without_topology(const Runs& runs) {
  const auto [low, high] = std::minmax_element(runs.begin(), runs.end(), sooner);
  if (!((*low)->completion.mean > 0)) return std::nullopt;
  const double apart = 1 - (*low)->completion.mean / (*high)->completion.mean;
  if (apart < 0.0005) return "The placements finish jobs equally soon on average, to 0.05 %.";
  return fmt::format("{} finishes jobs {} sooner than {} on average, both under {}.",
                     clean_text((*low)->placement), percent(apart), clean_text((*high)->placement),
                     clean_text((*low)->order));
}

std::optional<std::string> about_placements(const Comparison& comparison) {
  const RunResult& best = leading_run(comparison);
  const Runs runs = placements_beside(comparison, best);
  const bool all_known = std::all_of(runs.begin(), runs.end(),
                                     [](auto* run) { return run->multi_unit_jobs.has_value(); });
  if (!all_known) return runs.size() > 1 ? spread_without_topology(runs) : std::nullopt;
  if (std::all_of(runs.begin(), runs.end(), [](auto* run) { return run->multi_node_jobs == 0; }))
    return "No job runs on several nodes, so none can cross units.";
  if (runs.size() == 1) {
    std::string text = fmt::format("{} of its {} cross units", percent(*best.multi_unit_jobs),
                                   counted(best.multi_node_jobs, "multi-node job"));
    if (best.multi_pod_jobs) text += fmt::format(", {} cross pods", percent(*best.multi_pod_jobs));
    return fmt::format("Under {}, {}.", run_name(comparison, best), text);
  }
  return fmt::format("With {}, {}.", clean_text(best.order), shares_by_placement(runs));
}

std::optional<std::string> about_refusals(const Comparison& comparison) {
  const auto fewer = [](const auto& a, const auto& b) { return a.refused < b.refused; };
  const auto [low, high] =
      std::minmax_element(comparison.runs.begin(), comparison.runs.end(), fewer);
  if (high->refused == 0) return std::nullopt;
  if (low->refused == high->refused)
    return fmt::format("{} could never start on this pool and {} in none of the figures.",
                       counted(high->refused, "job"), high->refused == 1 ? "is" : "are");
  return fmt::format(
      "Between {} and {} could never start on this pool; they are in none of the figures, "
      "so the averages cover different jobs.",
      with_thousands(low->refused), counted(high->refused, "job"));
}

// Where there is nothing to compare with.
std::string about_single(const Comparison& comparison) {
  const RunResult& run = comparison.runs.front();
  return fmt::format(
      "Jobs finish {} after their submission on average and wait {} of that; half of "
      "them finish within {}.",
      humane_seconds(run.completion.mean), humane_seconds(run.wait.mean),
      humane_seconds(run.completion.p50));
}

}  // namespace

const RunResult& leading_run(const Comparison& comparison) {
  WEIR_ASSERT(!comparison.runs.empty());
  const Runs runs = orders_beside(comparison, comparison.runs.front());
  return **std::min_element(runs.begin(), runs.end(), sooner);
}

std::vector<const RunResult*> placements_beside(const Comparison& comparison,
                                                const RunResult& run) {
  Runs same;
  std::set<std::string> seen;  // a policy asked twice counts once
  for (const RunResult& other : comparison.runs)
    if (other.order == run.order && other.backfill == run.backfill &&
        seen.insert(other.placement).second)
      same.push_back(&other);
  return same;
}

std::vector<std::string> verdict(const Comparison& comparison) {
  std::vector<std::string> sentences;
  if (comparison.runs.empty()) return sentences;
  if (comparison.runs.size() == 1 && comparison.runs.front().jobs > 0)
    sentences.push_back(about_single(comparison));
  for (const auto& sentence :
       {about_orders(comparison), about_placements(comparison), about_refusals(comparison)})
    if (sentence) sentences.push_back(*sentence);
  return sentences;
}

}  // namespace weir::report
