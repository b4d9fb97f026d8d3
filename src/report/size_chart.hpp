// How long jobs wait by how many GPUs they ask for: median and 95th percentile of every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/markup.hpp"
#include "report/palette.hpp"
#include "sim/result.hpp"

namespace weir::report {

struct SizeWaits {
  std::size_t jobs = 0;  // that started
  double p50 = 0;        // seconds, nearest rank
  double p95 = 0;
};

// One class of sizes over all runs.
struct SizeGroup {
  std::string label;             // "5–8 GPUs"
  std::vector<SizeWaits> waits;  // one per run
};

// The classes that have jobs, small to large. Refused jobs do not count.
std::vector<SizeGroup> waits_by_size(const sim::Comparison& comparison);

// The largest 95th percentile in seconds; 0 without groups.
double longest_wait(const std::vector<SizeGroup>& groups);

// REQUIRES: groups is not empty.
void draw_waits_by_size(Markup& page, const std::vector<SizeGroup>& groups, const Styles& styles);

}  // namespace weir::report
