#include "report/size_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/axis.hpp"
#include "report/chart.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

constexpr Frame kFrame{kPlotLeft, kPlotRight, 12, 262};
constexpr double kHeight = 308;

struct SizeClass {
  std::uint64_t from;
  std::uint64_t to;
  const char* label;
};
constexpr std::array<SizeClass, 7> kClasses{{{0, 0, "no GPU"},
                                             {1, 1, "1 GPU"},
                                             {2, 4, "2–4 GPUs"},
                                             {5, 8, "5–8 GPUs"},
                                             {9, 64, "9–64 GPUs"},
                                             {65, 512, "65–512 GPUs"},
                                             {513, UINT64_MAX, "over 512 GPUs"}}};

std::size_t class_of(std::uint64_t gpus) {
  std::size_t i = 0;
  while (gpus > kClasses.at(i).to) ++i;
  return i;
}

double nearest_rank(const std::vector<double>& sorted, double quantile) {
  const auto rank =
      static_cast<std::size_t>(std::ceil(quantile * static_cast<double>(sorted.size()) - 1e-9));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

SizeWaits summary(std::vector<double>& waits) {
  if (waits.empty()) return {};
  std::sort(waits.begin(), waits.end());
  return {waits.size(), nearest_rank(waits, 0.5), nearest_rank(waits, 0.95)};
}

// One run in one class: marker at the median, a line up to a bar at the 95th percentile.
void draw_range(Markup& page, const RunStyle& style, const SizeWaits& waits, double x,
                const Scale& y) {
  const double low = y(waits.p50);
  const double high = y(waits.p95);
  page.leaf("path",
            {{"class", "stem"},
             {"d", fmt::format("M{}V{}M{}h8", coord(x, low), coord(high), coord(x - 4, high))}});
  page.leaf("path", {{"class", "dot"}, {"d", marker_path(style.variant, x, low)}});
}

// Where the runs stand inside a slot: side by side, with a gap between colours.
std::vector<double> offsets(const Styles& styles) {
  std::vector<double> at;
  double position = 0;
  for (std::size_t i = 0; i < styles.runs.size(); ++i) {
    if (i > 0) position += styles.runs[i].colour == styles.runs[i - 1].colour ? 1 : 1.7;
    at.push_back(position);
  }
  return at;
}

std::string jobs_label(const SizeGroup& group) {
  const auto fewer = [](const SizeWaits& a, const SizeWaits& b) { return a.jobs < b.jobs; };
  const auto [low, high] = std::minmax_element(group.waits.begin(), group.waits.end(), fewer);
  if (low->jobs == high->jobs) return counted(high->jobs, "job");
  return with_thousands(low->jobs) + "–" + counted(high->jobs, "job");
}

void draw_group(Markup& page, const SizeGroup& group, const Styles& styles, const Frame& slot,
                const Scale& y) {
  const double middle = (slot.left + slot.right) / 2;
  const std::vector<double> at = offsets(styles);
  const double pitch = std::min(14.0, (slot.right - slot.left - 24) / (at.back() + 1));
  for (std::size_t i = 0; i < group.waits.size(); ++i) {
    const SizeWaits& waits = group.waits[i];
    if (waits.jobs == 0) continue;
    page.open("g", {{"class", "run " + style_class(styles.runs[i])}});
    page.element("title", {},
                 fmt::format("{}, {}: median wait {}, 95th percentile {}, {}", styles.runs[i].name,
                             group.label, humane_seconds(waits.p50), humane_seconds(waits.p95),
                             counted(waits.jobs, "job")));
    draw_range(page, styles.runs[i], waits, middle + (at[i] - at.back() / 2) * pitch, y);
    page.close();
  }
  page.element("text",
               {{"class", "tick mid strong"}, {"x", coord(middle)}, {"y", coord(slot.bottom + 20)}},
               group.label);
  page.element("text",
               {{"class", "tick mid"}, {"x", coord(middle)}, {"y", coord(slot.bottom + 36)}},
               jobs_label(group));
}

}  // namespace

std::vector<SizeGroup> waits_by_size(const sim::Comparison& comparison) {
  std::vector<SizeGroup> groups;
  for (const SizeClass& size : kClasses) groups.push_back({size.label, {}});
  for (const sim::RunResult& run : comparison.runs) {
    std::array<std::vector<double>, kClasses.size()> waits;
    for (const sim::JobOutcome& job : run.outcomes)
      if (!job.refused) waits.at(class_of(job.gpus)).push_back(seconds(job.start - job.submit));
    for (std::size_t i = 0; i < waits.size(); ++i) groups[i].waits.push_back(summary(waits.at(i)));
  }
  std::erase_if(groups, [](const SizeGroup& group) {
    return std::all_of(group.waits.begin(), group.waits.end(),
                       [](const SizeWaits& waits) { return waits.jobs == 0; });
  });
  return groups;
}

double longest_wait(const std::vector<SizeGroup>& groups) {
  double longest = 0;
  for (const SizeGroup& group : groups)
    for (const SizeWaits& waits : group.waits) longest = std::max(longest, waits.p95);
  return longest;
}

void draw_waits_by_size(Markup& page, const std::vector<SizeGroup>& groups, const Styles& styles) {
  const double longest = std::max(longest_wait(groups), 10.0);
  auto ticks = duration_ticks(longest);
  const Scale y{1, std::min(ticks.back().value, longest * 1.3), kFrame.bottom, kFrame.top,
                Scale::Kind::kLog};
  if (ticks.back().value > y.high) ticks.pop_back();
  ticks.front().label = "≤ 1 s";

  open_chart(page, "sizes", kHeight, "Wait by job size, median to 95th percentile");
  draw_y_axis(page, kFrame, y, ticks);
  const double width = (kFrame.right - kFrame.left) / static_cast<double>(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double left = kFrame.left + width * static_cast<double>(i);
    draw_group(page, groups[i], styles, {left, left + width, kFrame.top, kFrame.bottom}, y);
  }
  page.close();
}

}  // namespace weir::report
