// What every chart of the page shares: its frame, its axes, its legend, its thinned-out series.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/axis.hpp"
#include "report/markup.hpp"
#include "report/palette.hpp"

namespace weir::report {

// All charts are this wide in their own units and as wide as the page on screen. Charts over time
// share left and right edges, so that an instant lies at one place down the whole page.
inline constexpr double kChartWidth = 900;
inline constexpr double kPlotLeft = 62;
inline constexpr double kPlotRight = 888;

struct Frame {
  double left = kPlotLeft;
  double right = kPlotRight;
  double top = 10;
  double bottom = 200;
};

// Opens <svg>; `label` is what a screen reader says. Close it with page.close().
void open_chart(Markup& page, std::string_view kind, double height, std::string_view label);

// Labels left of the frame with hairlines across it.
void draw_y_axis(Markup& page, const Frame& frame, const Scale& y, const std::vector<Tick>& ticks);

// Short ticks and labels below the frame.
void draw_time_axis(Markup& page, const Frame& frame, const Span& span);

// Seconds since span.begin to pixels.
Scale time_scale(const Frame& frame, const Span& span);

// Means of equal runs of neighbours so that at most `limit` remain; `merged` neighbours each, fewer
// in the last.
struct ThinnedSeries {
  std::vector<double> values;
  std::size_t merged = 1;
};
ThinnedSeries thinned(const std::vector<double>& values, std::size_t limit);

// A dot, square, triangle or diamond around (x, y), as path data.
std::string marker_path(std::size_t variant, double x, double y);

enum class LegendKind : std::uint8_t { kLines, kMarkers, kColoursOnly };

// Colours (orders), then dashes or markers (placements). Nothing for one run only.
void draw_legend(Markup& page, const Styles& styles, LegendKind kind);

// A short sample of the line of a run, for a row of the table.
void draw_line_key(Markup& page, const RunStyle& style);

}  // namespace weir::report
