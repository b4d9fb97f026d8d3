// What one simulated run gives: job by job, as figures, and over time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/ids.hpp"

namespace weir::sim {

// One job of the trace after the run; index = row of the trace that was given.
struct JobOutcome {
  JobId job;
  Instant submit;
  Instant start;
  Instant end;
  std::uint64_t gpus = 0;       // whole ones
  std::uint32_t gpu_milli = 0;  // a share of one GPU, in thousandths
  std::uint32_t nodes = 0;
  std::uint32_t units = 0;  // domains touched; 0 without a topology
  std::uint32_t pods = 0;
  bool refused = false;  // never started: start and end mean nothing
  std::string refusal;   // the sentence, for refused jobs

  [[nodiscard]] double all_gpus() const {
    return static_cast<double>(gpus) + static_cast<double>(gpu_milli) / 1000;
  }
};

// Mean and nearest-rank percentiles in seconds.
struct Distribution {
  double mean = 0;
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;
};

// State over time in equal steps from the first submission to the last end; each value is the mean
// over its step (time-weighted), not a sample.
struct Series {
  Instant begin;
  Duration step{0};
  std::vector<double> busy_gpus;
  std::vector<double> queued_jobs;
  std::vector<std::vector<double>> busy_gpus_by_unit;  // [unit][step]; empty without a topology
};

struct RunResult {
  std::string order;
  std::string placement;
  std::string backfill;
  std::uint64_t jobs = 0;     // finished
  std::uint64_t refused = 0;  // could never start here
  Distribution completion;    // end - submit
  Distribution wait;          // start - submit
  double utilisation = 0;     // 0..1 of GPU time between first submission and last end
  // Share of the jobs on several nodes that touch more than one unit or pod; none without topology.
  std::optional<double> multi_unit_jobs;
  std::optional<double> multi_pod_jobs;
  std::uint64_t multi_node_jobs = 0;
  std::string journal_hash;     // BLAKE2b-256 over the records, hex
  double planning_seconds = 0;  // wall time of the whole run, for the table only; not in JSON
  std::vector<JobOutcome> outcomes;
  Series series;
};

struct UnitInfo {
  std::string name;
  std::string pod;
  std::uint64_t gpus = 0;
};

// Several policies on the same pool and jobs, in the order asked.
struct Comparison {
  std::string pool;   // "458 nodes x 8 GPUs, 25 units, 4 pods (selene.compute.ibnetdiscover.xz)"
  std::string trace;  // "philly_jobs.csv.gz, 68,510 jobs, 2017-10-01 .. 2017-12-01"
  std::uint64_t nodes = 0;
  std::uint64_t gpus = 0;
  std::vector<UnitInfo> units;  // empty without a topology
  double offered_load = 0;      // GPU time asked / GPU time there between first and last submission
  std::uint64_t seed = 0;
  std::vector<RunResult> runs;
};

}  // namespace weir::sim
