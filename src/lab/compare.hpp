// Runs the same jobs on the same pool under several policies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "lab/pool_source.hpp"
#include "lab/trace_source.hpp"
#include "sched/planner.hpp"
#include "sim/result.hpp"

namespace weir::lab {

struct CompareOptions {
  std::vector<std::string> orders{"fifo"};
  std::vector<std::string> placements{"weir"};
  sched::Backfill backfill = sched::Backfill::kNone;
  std::uint64_t seed = 1;
  Duration round{0};
  // Where each run's journal goes, as ORDER-PLACEMENT.journal; empty: nowhere.
  std::filesystem::path journals;
};

// How far the work is; for a line on a terminal.
struct CompareProgress {
  std::string policy;   // "sjf / weir"
  std::size_t run = 0;  // from 1
  std::size_t runs = 0;
  std::uint64_t done = 0;  // jobs of this run
  std::uint64_t total = 0;
  double run_seconds = 0;  // since this run began
};
using ProgressHandler = std::function<void(const CompareProgress&)>;

// Every order with every placement, in the order asked: orders outside, placements inside.
Result<sim::Comparison> compare(const LabPool& pool, const LabTrace& trace,
                                const CompareOptions& options, const ProgressHandler& progress);

// "sjf-weir": how files of one run are called.
std::string file_stem(const sim::RunResult& run);

}  // namespace weir::lab
