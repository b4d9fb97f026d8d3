// GPUs by unit over time: a strip per unit, darker where more of its GPUs are busy.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/axis.hpp"
#include "report/markup.hpp"
#include "sim/result.hpp"

namespace weir::report {

inline constexpr std::size_t kMostColumns = 200;
inline constexpr std::size_t kMostRows =
    64;  // of a chart; beyond, neighbours of a pod are averaged

// One strip: a unit, or neighbouring units of one pod where there are too many.
struct UnitRow {
  std::string name;
  std::string pod;
  std::size_t units = 1;
  std::uint64_t gpus = 0;
  std::vector<double> busy;  // share 0..1 in each column
};

struct UnitRows {
  std::vector<UnitRow> rows;  // units of a pod stand together
  Duration column{0};         // time of one column
};

UnitRows unit_rows(const sim::Comparison& comparison, const sim::RunResult& run);

// REQUIRES: comparison.units is not empty.
void draw_units(Markup& page, const sim::Comparison& comparison, const sim::RunResult& run,
                const Span& span);

// The scale of the tones, 0 to 100 %.
void draw_share_legend(Markup& page);

}  // namespace weir::report
