#include "report/spread_chart.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/axis.hpp"
#include "report/chart.hpp"
#include "report/figures.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

constexpr double kLeft = 190;
constexpr double kRight = 680;  // room for the figures right of the longest bar
constexpr double kRow = 19;
constexpr double kBlockGap = 12;
constexpr double kTop = 6;

// Rows of one placement, in the order asked.
struct Block {
  std::string placement;
  std::vector<std::size_t> runs;
};

std::vector<Block> blocks_of(const sim::Comparison& comparison) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const std::string& placement = comparison.runs[i].placement;
    const auto same = [&](const Block& block) { return block.placement == placement; };
    auto found = std::find_if(blocks.begin(), blocks.end(), same);
    if (found == blocks.end()) found = blocks.insert(found, {placement, {}});
    found->runs.push_back(i);
  }
  return blocks;
}

double largest_share(const sim::Comparison& comparison) {
  double largest = 0;
  for (const sim::RunResult& run : comparison.runs)
    largest = std::max(largest, run.multi_unit_jobs.value_or(0));
  return largest;
}

std::string figures(const sim::RunResult& run) {
  if (!run.multi_unit_jobs) return "not known";
  std::string text = percent(*run.multi_unit_jobs) + " units";
  if (run.multi_pod_jobs) text += " · " + percent(*run.multi_pod_jobs) + " pods";
  return text;
}

// The bar of units, and over it the bar of pods: whatever crosses pods crosses units too.
void draw_row(Markup& page, const sim::RunResult& run, const RunStyle& style, double top,
              const Scale& x) {
  const double to_unit = x(run.multi_unit_jobs.value_or(0));
  const double to_pod = x(run.multi_pod_jobs.value_or(0));
  page.open("g", {{"class", "run " + style_class(style)}});
  const auto bar = [&](const char* kind, double end) {
    page.leaf("rect", {{"class", kind},
                       {"x", coord(kLeft)},
                       {"y", coord(top + 3)},
                       {"width", coord(std::max(end - kLeft, 0.0))},
                       {"height", coord(kRow - 6)}});
  };
  bar("bar wide", to_unit);
  bar("bar", to_pod);
  page.element("text", {{"class", "value"}, {"x", coord(to_unit + 8)}, {"y", coord(top + 14)}},
               figures(run));
  page.close();
}

}  // namespace

void draw_spread(Markup& page, const sim::Comparison& comparison, const Styles& styles) {
  const auto blocks = blocks_of(comparison);
  const double rows = static_cast<double>(comparison.runs.size()) * kRow;
  const double bottom = kTop + rows + static_cast<double>(blocks.size() - 1) * kBlockGap;
  const Scale x{0, std::max(largest_share(comparison), 0.01), kLeft, kRight, Scale::Kind::kLinear};

  open_chart(page, "spread", bottom + 6, "Multi-node jobs over several units and pods");
  const bool with_backfill = backfill_differs(comparison);
  double top = kTop;
  for (const Block& block : blocks) {
    page.element("text", {{"class", "tick strong end"}, {"x", "88"}, {"y", coord(top + 14)}},
                 shortened(clean_text(block.placement), 13));
    for (const std::size_t i : block.runs) {
      const sim::RunResult& run = comparison.runs[i];
      const std::string name = with_backfill ? run.order + " / " + run.backfill : run.order;
      page.element("text",
                   {{"class", "tick end"}, {"x", coord(kLeft - 10)}, {"y", coord(top + 14)}},
                   shortened(clean_text(name), 14));
      draw_row(page, run, styles.runs[i], top, x);
      top += kRow;
    }
    top += kBlockGap;
  }
  page.leaf("path",
            {{"class", "axis"}, {"d", fmt::format("M{}V{}", coord(kLeft, kTop), coord(bottom))}});
  page.close();
}

}  // namespace weir::report
