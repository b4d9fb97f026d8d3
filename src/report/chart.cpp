#include "report/chart.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace weir::report {
namespace {

void draw_key(Markup& page, std::string_view classes, std::string_view path) {
  page.open("svg", {{"class", "key"}, {"viewBox", "0 0 30 12"}, {"aria-hidden", "true"}});
  page.leaf("path", {{"class", classes}, {"d", path}});
  page.close();
}

void draw_entry(Markup& page, const std::string& hit, const std::string& path,
                const std::string& name) {
  std::string classes = hit;
  std::replace(classes.begin(), classes.end(), '.', ' ');
  page.open("span", {{"class", "entry"}, {"data-hit", hit}});
  draw_key(page, classes, path);
  page.element("span", {}, name);
  page.close();
}

}  // namespace

void open_chart(Markup& page, std::string_view kind, double height, std::string_view label) {
  page.open("svg", {{"class", fmt::format("chart {}", kind)},
                    {"viewBox", fmt::format("0 0 {} {}", coord(kChartWidth), coord(height))},
                    {"role", "img"},
                    {"aria-label", label}});
}

void draw_y_axis(Markup& page, const Frame& frame, const Scale& y, const std::vector<Tick>& ticks) {
  std::string lines;
  for (const Tick& tick : ticks)
    lines += fmt::format("M{}H{}", coord(frame.left, y(tick.value)), coord(frame.right));
  page.leaf("path", {{"class", "grid"}, {"d", lines}});
  for (const Tick& tick : ticks)
    page.element(
        "text",
        {{"class", "tick end"}, {"x", coord(frame.left - 8)}, {"y", coord(y(tick.value) + 4)}},
        tick.label);
}

Scale time_scale(const Frame& frame, const Span& span) {
  return {0, std::max(seconds(span.end - span.begin), 1e-6), frame.left, frame.right,
          Scale::Kind::kLinear};
}

void draw_time_axis(Markup& page, const Frame& frame, const Span& span) {
  constexpr std::size_t kMostTicks = 11;
  constexpr double kHalfLabel = 30;
  const Scale x = time_scale(frame, span);
  const auto ticks = time_ticks(span, kMostTicks);
  std::string marks = fmt::format("M{}H{}", coord(frame.left, frame.bottom), coord(frame.right));
  for (const Tick& tick : ticks) marks += fmt::format("M{}v5", coord(x(tick.value), frame.bottom));
  page.leaf("path", {{"class", "axis"}, {"d", marks}});
  for (const Tick& tick : ticks) {
    const double at = x(tick.value);
    const bool at_edge = at + kHalfLabel > kChartWidth;
    page.element("text",
                 {{"class", at_edge ? "tick end" : "tick mid"},
                  {"x", coord(at_edge ? kChartWidth : at)},
                  {"y", coord(frame.bottom + 18)}},
                 tick.label);
  }
}

ThinnedSeries thinned(const std::vector<double>& values, std::size_t limit) {
  ThinnedSeries thin;
  if (values.empty() || limit == 0) return thin;
  thin.merged = (values.size() + limit - 1) / limit;
  for (std::size_t i = 0; i < values.size(); i += thin.merged) {
    const std::size_t end = std::min(i + thin.merged, values.size());
    const double sum = std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(i),
                                       values.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    thin.values.push_back(sum / static_cast<double>(end - i));
  }
  return thin;
}

std::string marker_path(std::size_t variant, double x, double y) {
  switch (variant % kVariants) {
    case 0: return fmt::format("M{}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", coord(x - 4, y));
    case 1: return fmt::format("M{}h7v7h-7z", coord(x - 3.5, y - 3.5));
    case 2: return fmt::format("M{}l4.5 8h-9z", coord(x, y - 5));
    default: return fmt::format("M{}l4.5 5l-4.5 5l-4.5 -5z", coord(x, y - 5));
  }
}

void draw_legend(Markup& page, const Styles& styles, LegendKind kind) {
  if (styles.runs.size() < 2) return;
  page.open("div", {{"class", "legend"}});
  if (styles.colours.size() > 1) {
    page.open("div", {{"class", "entries"}});
    for (std::size_t i = 0; i < styles.colours.size(); ++i) {
      const bool marker = kind == LegendKind::kMarkers && styles.variants.empty();
      draw_entry(page, fmt::format(".c{}", i % kSeriesColours),
                 marker ? marker_path(0, 15, 6) : "M2 6H28", styles.colours[i]);
    }
    page.close();
  }
  if (!styles.variants.empty() && kind != LegendKind::kColoursOnly) {
    page.open("div", {{"class", "entries plain"}});
    for (std::size_t i = 0; i < styles.variants.size(); ++i)
      draw_entry(page, fmt::format(".v{}", i % kVariants),
                 kind == LegendKind::kMarkers ? marker_path(i, 15, 6) : "M2 6H28",
                 styles.variants[i]);
    page.close();
  }
  page.close();
}

void draw_line_key(Markup& page, const RunStyle& style) {
  draw_key(page, style_class(style), "M2 6H28");
}

}  // namespace weir::report
