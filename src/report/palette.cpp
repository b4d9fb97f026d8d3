#include "report/palette.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "report/figures.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

std::size_t index_in(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

}  // namespace

constinit const Palette kLight = {
    .page = "#fdfdfb",
    .ink = "#1d2023",
    .muted = "#5c6369",
    .rule = "#dcdcd6",
    .raised = "#f3f3ee",
    .series = {"#d55e00", "#0072b2", "#009068", "#b8588f", "#7a6a00", "#3d4348"},
    .shares = {"#eeeeea", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5",
               "#08519c", "#08306b"}};

constinit const Palette kDark = {
    .page = "#15181b",
    .ink = "#e9e8e4",
    .muted = "#a3a9ae",
    .rule = "#33393e",
    .raised = "#20252a",
    .series = {"#ff8f3d", "#56b4e9", "#2fc79a", "#e79fc8", "#e2cf4d", "#c9ced2"},
    .shares = {"#1f2428", "#1b2f42", "#1d3f5e", "#20507a", "#2a6497", "#3d7cb3", "#5a97cd",
               "#82b6e4", "#b5d8f7"}};

Styles assign_styles(const sim::Comparison& comparison) {
  Styles styles;
  std::set<std::string> orders;
  for (const sim::RunResult& run : comparison.runs) orders.insert(run.order);
  const bool colour_is_order = orders.size() > 1;
  for (const sim::RunResult& run : comparison.runs) {
    std::string variant = clean_text(run.placement);
    if (backfill_differs(comparison)) variant += " / " + clean_text(run.backfill);
    RunStyle style{run_name(comparison, run), 0, 0};
    if (colour_is_order) {
      style.colour = index_in(styles.colours, clean_text(run.order));
      style.variant = index_in(styles.variants, variant);
    } else {
      style.colour = index_in(styles.colours, variant);
    }
    styles.runs.push_back(std::move(style));
  }
  if (styles.variants.size() < 2) styles.variants.clear();
  return styles;
}

std::string style_class(const RunStyle& style) {
  return fmt::format("c{} v{}", style.colour % kSeriesColours, style.variant % kVariants);
}

}  // namespace weir::report
