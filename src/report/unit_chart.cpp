#include "report/unit_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "report/chart.hpp"
#include "report/format.hpp"
#include "report/palette.hpp"

namespace weir::report {
namespace {

constexpr double kTop = 4;
constexpr double kPodGap = 0.6;  // rows
constexpr double kRoomyRow = 9;  // pixels; lower rows have no room for a gap between them
constexpr std::size_t kPodLabel = 9;

// Units in the order of their pods' first appearance.
std::vector<std::size_t> by_pod(const std::vector<sim::UnitInfo>& units) {
  std::vector<std::string> pods;
  std::vector<std::pair<std::size_t, std::size_t>> keyed;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto found = std::find(pods.begin(), pods.end(), units[i].pod);
    keyed.emplace_back(static_cast<std::size_t>(found - pods.begin()), i);
    if (found == pods.end()) pods.push_back(units[i].pod);
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::size_t> order;
  for (const auto& [pod, unit] : keyed) order.push_back(unit);
  return order;
}

// 0 for (almost) nothing, then steps of an eighth.
std::size_t level_of(double share) {
  if (!(share >= 0.005)) return 0;
  const double step = std::ceil(share * static_cast<double>(kShareLevels) - 1e-9);
  return static_cast<std::size_t>(std::clamp(step, 1.0, static_cast<double>(kShareLevels)));
}

void add_unit(UnitRow& row, const std::vector<double>& busy) {
  const ThinnedSeries thin = thinned(busy, kMostColumns);
  if (row.busy.size() < thin.values.size()) row.busy.resize(thin.values.size());
  for (std::size_t i = 0; i < thin.values.size(); ++i) row.busy[i] += thin.values[i];
}

// Top of each row in row heights, with a gap between pods.
std::vector<double> tops_of(const std::vector<UnitRow>& rows) {
  std::vector<double> tops;
  double top = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && rows[i].pod != rows[i - 1].pod) top += kPodGap;
    tops.push_back(top);
    top += 1;
  }
  return tops;
}

// Cells of one tone as strokes of height 1 in a grid of columns and rows: neighbours of the same
// tone are one stroke, which keeps thousands of cells to tens of kilobytes.
std::array<std::string, kShareLevels + 1> strokes(const std::vector<UnitRow>& rows,
                                                  const std::vector<double>& tops) {
  std::array<std::string, kShareLevels + 1> paths;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& busy = rows[r].busy;
    for (std::size_t begin = 0, end = 0; begin < busy.size(); begin = end) {
      const std::size_t level = level_of(busy[begin]);
      while (end < busy.size() && level_of(busy[end]) == level) ++end;
      paths.at(level) += fmt::format("M{} {}h{}", begin, coord(tops[r] + 0.5), end - begin);
    }
  }
  return paths;
}

std::string row_title(const UnitRow& row) {
  double sum = 0;
  for (const double share : row.busy) sum += share;
  const double mean = row.busy.empty() ? 0 : sum / static_cast<double>(row.busy.size());
  return fmt::format("{} ({}), {}: {} busy on average", row.name, row.pod, counted(row.gpus, "GPU"),
                     percent(mean));
}

struct Grid {
  std::vector<double> tops;
  double row = 8;     // pixels
  double left = 0;    // of column 0
  double column = 1;  // pixels
};

void draw_cells(Markup& page, const UnitRows& units, const Grid& grid) {
  page.open("g", {{"class", grid.row < kRoomyRow ? "cells dense" : "cells"},
                  {"transform", fmt::format("translate({} {}) scale({:.5f} {})", coord(grid.left),
                                            coord(kTop), grid.column, coord(grid.row))}});
  const auto paths = strokes(units.rows, grid.tops);
  for (std::size_t level = 0; level < paths.size(); ++level)
    if (!paths.at(level).empty())
      page.leaf("path", {{"class", fmt::format("s{}", level)}, {"d", paths.at(level)}});
  page.close();
}

// Pod names left of their rows, and over each row a clear surface that tells its name.
void draw_row_names(Markup& page, const UnitRows& units, const Grid& grid) {
  for (std::size_t i = 0; i < units.rows.size(); ++i) {
    const UnitRow& row = units.rows[i];
    const double top = kTop + grid.tops[i] * grid.row;
    if (i == 0 || row.pod != units.rows[i - 1].pod)
      page.element("text",
                   {{"class", "tick end"}, {"x", coord(kPlotLeft - 8)}, {"y", coord(top + 9)}},
                   shortened(row.pod, kPodLabel));
    page.open("rect", {{"class", "clear"},
                       {"x", coord(kPlotLeft)},
                       {"y", coord(top)},
                       {"width", coord(kPlotRight - kPlotLeft)},
                       {"height", coord(grid.row)}});
    page.element("title", {}, row_title(row));
    page.close();
  }
}

}  // namespace

UnitRows unit_rows(const sim::Comparison& comparison, const sim::RunResult& run) {
  UnitRows result;
  const auto& series = run.series;
  const auto& units = comparison.units;
  const std::size_t merged = (units.size() + kMostRows - 1) / kMostRows;
  for (const std::size_t unit : by_pod(units)) {
    if (unit >= series.busy_gpus_by_unit.size()) continue;
    const auto& busy = series.busy_gpus_by_unit[unit];
    const std::string pod = clean_text(units[unit].pod);
    const std::string name = clean_text(units[unit].name);
    auto& rows = result.rows;
    if (rows.empty() || rows.back().pod != pod || rows.back().units == merged) {
      rows.push_back({name, pod, 1, units[unit].gpus, {}});
    } else {
      UnitRow& row = rows.back();
      row.name = row.name.substr(0, row.name.find(" … ")) + " … " + name;
      ++row.units;
      row.gpus += units[unit].gpus;
    }
    add_unit(rows.back(), busy);
    result.column = series.step * static_cast<std::int64_t>(thinned(busy, kMostColumns).merged);
  }
  for (UnitRow& row : result.rows)
    for (double& busy : row.busy) busy /= row.gpus > 0 ? static_cast<double>(row.gpus) : 1.0;
  return result;
}

void draw_units(Markup& page, const sim::Comparison& comparison, const sim::RunResult& run,
                const Span& span) {
  const UnitRows units = unit_rows(comparison, run);
  if (units.rows.empty()) return;
  const Scale x = time_scale({}, span);
  Grid grid{tops_of(units.rows), units.rows.size() > 32 ? 6.0 : kRoomyRow, 0, 1};
  grid.left = x(seconds(run.series.begin - span.begin));
  grid.column = seconds(units.column) / x.high * (kPlotRight - kPlotLeft);
  const double bottom = kTop + (grid.tops.back() + 1) * grid.row;

  open_chart(page, "time units", bottom + 26, "Busy share of every unit over time");
  page.open("g", {{"class", "plot"}});
  draw_cells(page, units, grid);
  draw_row_names(page, units, grid);
  draw_time_axis(page, {kPlotLeft, kPlotRight, kTop, bottom + 2}, span);
  page.leaf("path", {{"class", "cursor"}, {"d", ""}});
  page.close();
  page.close();
}

void draw_share_legend(Markup& page) {
  constexpr double kCell = 22;
  page.open("div", {{"class", "legend tones"}});
  page.element("span", {}, "idle");
  page.open("svg", {{"class", "ramp"}, {"viewBox", "0 0 198 10"}, {"aria-hidden", "true"}});
  for (std::size_t level = 0; level <= kShareLevels; ++level)
    page.leaf("rect", {{"class", fmt::format("s{}", level)},
                       {"x", coord(static_cast<double>(level) * kCell)},
                       {"y", "0"},
                       {"width", coord(kCell)},
                       {"height", "10"}});
  page.close();
  page.element("span", {}, "all GPUs busy");
  page.close();
}

}  // namespace weir::report
