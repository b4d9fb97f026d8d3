#include "report/time_chart.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

#include <fmt/format.h>

#include "report/chart.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

constexpr Frame kFrame{kPlotLeft, kPlotRight, 12, 212};
constexpr double kHeight = 240;

struct Curve {
  const RunStyle* style = nullptr;
  Instant begin;
  Duration step{0};
  std::vector<double> values;
};

double peak(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

std::vector<Curve> curves_of(const sim::Comparison& comparison, const Styles& styles,
                             std::vector<double> sim::Series::* field) {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const sim::Series& series = comparison.runs[i].series;
    ThinnedSeries thin = thinned(series.*field, kMostPoints);
    curves.push_back({&styles.runs[i], series.begin,
                      series.step * static_cast<std::int64_t>(thin.merged),
                      std::move(thin.values)});
  }
  return curves;
}

// Each value stands in the middle of the step it is the mean of.
std::string curve_path(const Curve& curve, const Span& span, const Scale& y) {
  const Scale x = time_scale(kFrame, span);
  const double first = seconds(curve.begin - span.begin) + seconds(curve.step) / 2;
  std::string path;
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    const double at = first + static_cast<double>(i) * seconds(curve.step);
    path += fmt::format("{}{}",
                        i == 0   ? "M"
                        : i == 1 ? "L"
                                 : " ",
                        coord(x(at), y(curve.values[i])));
  }
  if (curve.values.size() == 1) path += "h1";  // a single step still leaves a mark
  return path;
}

// The script reads times and values back from the picture: it needs the scales.
void open_time_chart(Markup& page, const Span& span, const Scale& y, std::string_view label) {
  open_chart(page, "time", kHeight, label);
  const bool log = y.kind != Scale::Kind::kLinear;
  page.open("g",
            {{"class", "plot"},
             {"data-begin", span.has_dates() ? coord(seconds(span.begin - Instant())) : "none"},
             {"data-seconds", coord(seconds(span.end - span.begin))},
             {"data-left", coord(kFrame.left)},
             {"data-right", coord(kFrame.right)},
             {"data-top", coord(y.pixel_high)},
             {"data-bottom", coord(y.pixel_low)},
             {"data-high", coord(y.high)},
             {"data-kind", log ? "log" : "linear"},
             {"data-unit", label.starts_with("Busy") ? " %" : ""}});
}

void draw(Markup& page, const std::vector<Curve>& curves, const Span& span, const Scale& y) {
  // The runs asked first are drawn last, on top.
  for (const Curve& curve : std::views::reverse(curves))
    if (!curve.values.empty())
      page.leaf("path", {{"class", "run " + style_class(*curve.style)},
                         {"data-name", curve.style->name},
                         {"d", curve_path(curve, span, y)}});
  draw_time_axis(page, kFrame, span);
  page.leaf("path", {{"class", "cursor"}, {"d", ""}});
  page.close();
  page.close();
}

}  // namespace

Span span_of(const sim::Comparison& comparison) {
  Span span;
  bool first = true;
  for (const sim::RunResult& run : comparison.runs) {
    const sim::Series& series = run.series;
    if (series.busy_gpus.empty()) continue;
    const Instant end =
        series.begin + series.step * static_cast<std::int64_t>(series.busy_gpus.size());
    span.begin = first ? series.begin : std::min(span.begin, series.begin);
    span.end = first ? end : std::max(span.end, end);
    first = false;
  }
  return span;
}

void draw_utilisation(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  auto curves = curves_of(comparison, styles, &sim::Series::busy_gpus);
  const double whole = comparison.gpus > 0 ? static_cast<double>(comparison.gpus) : 1;
  for (Curve& curve : curves)
    for (double& value : curve.values) value *= 100 / whole;
  const Span span = span_of(comparison);
  const Scale y{0, 100, kFrame.bottom, kFrame.top, Scale::Kind::kLinear};
  open_time_chart(page, span, y, "Busy GPUs over time, percent of the pool");
  draw_y_axis(page, kFrame, y, {{0, "0"}, {25, "25"}, {50, "50"}, {75, "75"}, {100, "100 %"}});
  draw(page, curves, span, y);
}

QueueScale queue_scale(const sim::Comparison& comparison) {
  std::vector<double> peaks;
  for (const sim::RunResult& run : comparison.runs)
    peaks.push_back(peak(thinned(run.series.queued_jobs, kMostPoints).values));
  const double top = peak(peaks);
  if (!(top > 0)) return QueueScale::kEmpty;
  const double lowest = *std::min_element(peaks.begin(), peaks.end());
  return top >= 100 && top >= 10 * lowest ? QueueScale::kLog : QueueScale::kLinear;
}

void draw_queue(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  const auto curves = curves_of(comparison, styles, &sim::Series::queued_jobs);
  double top = 0;
  for (const Curve& curve : curves) top = std::max(top, peak(curve.values));
  const bool log = queue_scale(comparison) == QueueScale::kLog;
  auto ticks = log ? decade_ticks(top) : count_ticks(top, 4);
  const Scale y{0, log ? top : ticks.back().value, kFrame.bottom, kFrame.top,
                log ? Scale::Kind::kLogFromZero : Scale::Kind::kLinear};
  if (ticks.back().value > y.high) ticks.pop_back();
  const Span span = span_of(comparison);
  open_time_chart(page, span, y, "Waiting jobs over time");
  draw_y_axis(page, kFrame, y, ticks);
  draw(page, curves, span, y);
}

}  // namespace weir::report
