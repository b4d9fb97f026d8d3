// The columns of the comparison table, already in words: what the terminal and the page both show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/result.hpp"

namespace weir::report {

// How much a column is worth when room is short: the highest value is dropped first, kAlways never.
enum class Keep : std::uint8_t {
  kAlways,
  kMeanWait,
  kUtilisation,
  kUnits,
  kP99,
  kPods,
  kJobs,
  kWaitP99,
  kP95,
  kP50,
  kSpeed,
};

struct Column {
  std::string group;  // "completion, s": shared heading of neighbouring columns; may be empty
  std::string title;  // "p95"
  Keep keep = Keep::kAlways;
  bool is_text = false;            // left-aligned
  std::vector<std::string> cells;  // one per run
  std::vector<bool> best;          // the best of its column, judged on what the cells show
  std::vector<std::string> notes;  // per run, the same in other words ("5h 07m"); may be empty
};

// One column per figure, in reading order: policy, jobs, completion, wait, utilisation, jobs over
// several units and pods (only with a topology), planning speed. Backfill and refused jobs have a
// column only where they tell runs apart or there are any.
std::vector<Column> figure_columns(const sim::Comparison& comparison);

// True where the runs know units and pods.
bool has_topology(const sim::Comparison& comparison);

// True where runs differ in backfill, so that a name needs it.
bool backfill_differs(const sim::Comparison& comparison);

// "sjf / weir", with " / easy" where runs differ in backfill. Clean text.
std::string run_name(const sim::Comparison& comparison, const sim::RunResult& run);

// Jobs planned per second of wall time; 0 where no time was taken.
double planned_per_second(const sim::RunResult& run);

}  // namespace weir::report
