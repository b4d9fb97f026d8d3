#include "report/html.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/chart.hpp"
#include "report/figures.hpp"
#include "report/format.hpp"
#include "report/html_table.hpp"
#include "report/markup.hpp"
#include "report/page_style.hpp"
#include "report/palette.hpp"
#include "report/size_chart.hpp"
#include "report/spread_chart.hpp"
#include "report/time_chart.hpp"
#include "report/unit_chart.hpp"
#include "report/verdict.hpp"
#include "report/words.hpp"

namespace weir::report {
namespace {

constexpr std::size_t kMostUnitCharts = 3;

// Figures and their units stay on one line: "27 %", "17.1 ×", "3h 05m".
std::string unbroken(const std::string& sentence) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const std::string_view rest = std::string_view(sentence).substr(i);
    const bool unit = rest.starts_with(" %") || rest.starts_with(" ×") || rest.starts_with(" s ");
    const bool after_figure = i > 0 && is_digit(sentence[i - 1]);
    const bool between_parts =
        i > 1 && rest.size() > 1 && is_digit(sentence[i - 2]) && is_digit(rest[1]) &&
        std::string_view("dhm").find(sentence[i - 1]) != std::string_view::npos;
    if (rest[0] == ' ' && ((unit && after_figure) || between_parts))
      out += "\u00a0";
    else
      out += sentence[i];
  }
  return out;
}

// "3 orders × 3 placements on 3,664 GPUs"
std::string headline(const sim::Comparison& comparison, const Styles& styles) {
  const std::string gpus = counted(comparison.gpus, "GPU");
  if (comparison.runs.empty()) return "Nothing was run on " + gpus;
  if (styles.runs.size() == 1) return styles.runs.front().name + " on " + gpus;
  if (!styles.variants.empty())
    return fmt::format("{} × {} on {}", counted(styles.colours.size(), "order"),
                       counted(styles.variants.size(), "placement"), gpus);
  return fmt::format("{} compared on {}", counted(styles.runs.size(), "policy run"), gpus);
}

void write_facts(Markup& page, const sim::Comparison& comparison) {
  const auto fact = [&](std::string_view name, std::string_view content) {
    page.element("dt", {}, name);
    page.element("dd", {}, content);
  };
  page.open("dl", {{"class", "facts"}});
  fact("Pool", comparison.pool);
  fact("Trace", comparison.trace);
  const Span span = span_of(comparison);
  if (!span.is_empty() && span.has_dates())
    fact("Simulated",
         fmt::format("{} to {}", time_label(span, span.begin), time_label(span, span.end)));
  else if (!span.is_empty())
    fact("Simulated", format_duration(span.end - span.begin));
  fact("Offered load", fmt::format("{} of the GPU time between first and last submission; seed {}",
                                   percent(comparison.offered_load), comparison.seed));
  page.close();
}

void write_header(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  page.open("header");
  page.open("button", {{"id", "theme"}, {"type", "button"}, {"hidden", "hidden"}});
  page.close();
  page.element("p", {{"class", "eyebrow"}}, "Weir · simulation report");
  page.element("h1", {}, headline(comparison, styles));
  page.open("p", {{"class", "lede"}});
  for (const std::string& sentence : verdict(comparison))
    page.element("span", {}, unbroken(sentence));
  page.close();
  write_facts(page, comparison);
  page.close();
}

void open_section(Markup& page, std::string_view title, std::string_view note) {
  page.open("section");
  page.element("h2", {}, title);
  if (!note.empty()) page.element("p", {{"class", "note"}}, note);
}

void open_figure(Markup& page, std::string_view caption) {
  page.open("figure");
  if (!caption.empty()) page.element("figcaption", {}, caption);
  page.open("div", {{"class", "scroll"}});
}

void close_figure(Markup& page) {
  page.close();
  page.close();
}

void write_results(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  open_section(page, "Results",
               std::string("Completion is submission to end, wait submission to start; percentiles "
                           "by nearest rank.") +
                   (comparison.runs.size() > 1 ? " The best figure of a column is bold." : ""));
  write_table(page, comparison, styles);
  page.close();
}

void write_queue(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  const QueueScale scale = queue_scale(comparison);
  if (scale == QueueScale::kEmpty) {
    page.element("p", {{"class", "note"}}, "No job waited.");
    return;
  }
  open_figure(page, scale == QueueScale::kLog ? "Jobs waiting, logarithmic scale" : "Jobs waiting");
  draw_queue(page, comparison, styles);
  close_figure(page);
}

void write_time_charts(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  if (span_of(comparison).is_empty()) return;
  open_section(page, "Over time", "");
  draw_legend(page, styles, LegendKind::kLines);
  open_figure(page, "GPUs busy, % of the pool");
  draw_utilisation(page, comparison, styles);
  close_figure(page);
  write_queue(page, comparison, styles);
  page.close();
}

void write_sizes(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  const auto groups = waits_by_size(comparison);
  if (groups.empty()) return;
  if (longest_wait(groups) <= 1) {
    open_section(page, "Wait by job size",
                 "In every size, at least 95 % of the jobs start within a second.");
    page.close();
    return;
  }
  open_section(page, "Wait by job size",
               "The mark is the median wait, the line ends at the 95th percentile; "
               "logarithmic scale.");
  draw_legend(page, styles, LegendKind::kMarkers);
  open_figure(page, "");
  draw_waits_by_size(page, groups, styles);
  close_figure(page);
  page.close();
}

void write_spread(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  if (!has_topology(comparison)) return;
  open_section(
      page, "Jobs over several units and pods",
      "Of the jobs on several nodes, the share that touches more than one unit (pale) and "
      "more than one pod (full colour). Their traffic has to cross spine or core switches.");
  open_figure(page, "");
  draw_spread(page, comparison, styles);
  close_figure(page);
  page.close();
}

void write_units(Markup& page, const sim::Comparison& comparison) {
  const bool known = std::any_of(comparison.runs.begin(), comparison.runs.end(),
                                 [](auto& run) { return !run.series.busy_gpus_by_unit.empty(); });
  if (!known || comparison.units.empty()) return;
  const bool merged = comparison.units.size() > kMostRows;
  open_section(page, "GPUs by unit over time",
               merged ? "A row is the mean of neighbouring units of a pod, a gap separates pods."
                      : "A row is a unit, a gap separates pods.");
  draw_share_legend(page);
  std::size_t drawn = 0;
  for (const sim::RunResult* run : placements_beside(comparison, leading_run(comparison))) {
    if (run->series.busy_gpus_by_unit.empty() || drawn++ == kMostUnitCharts) continue;
    open_figure(page, run_name(comparison, *run));
    draw_units(page, comparison, *run, span_of(comparison));
    close_figure(page);
  }
  page.close();
}

void write_document_head(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  page.open("head");
  page.leaf("meta", {{"charset", "utf-8"}});
  page.leaf("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  page.leaf(
      "meta",
      {{"http-equiv", "Content-Security-Policy"},
       {"content", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"}});
  page.element("title", {}, "Weir: " + headline(comparison, styles));
  page.open("style");
  page.trusted(style_sheet());
  page.close();
  page.close();
}

}  // namespace

std::string comparison_html(const sim::Comparison& comparison) {
  const Styles styles = assign_styles(comparison);
  Markup page;
  page.open("html", {{"lang", "en"}});
  write_document_head(page, comparison, styles);
  page.open("body");
  page.open("main");
  write_header(page, comparison, styles);
  if (!comparison.runs.empty()) {
    write_results(page, comparison, styles);
    write_time_charts(page, comparison, styles);
    write_sizes(page, comparison, styles);
    write_spread(page, comparison, styles);
    write_units(page, comparison);
    write_refusals(page, comparison);
    write_words(page, comparison);
  }
  page.close();
  page.open("div", {{"id", "readout"}, {"hidden", "hidden"}});
  page.close();
  page.open("script");
  page.trusted(kScript);
  page.close();
  page.close();
  page.close();
  return "<!DOCTYPE html>\n" + page.finished() + "\n";
}

}  // namespace weir::report
