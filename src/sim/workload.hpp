// A made-up job log of a known shape, so that a simulation needs no data set. Equal options give
// equal jobs with every compiler: all draws and sums are whole numbers but the one product that
// makes the load a budget.
//
//   small  many small jobs and few of up to 4 nodes, shaped as Microsoft's Philly log
//   gangs  training gangs of 2 to 64 whole nodes for hours to days, so that placement matters
//   mixed  both, side by side
//   philly, helios, acme   as those logs are: small is philly by another name
//
// Jobs are drawn until they ask for `load` of the pool's GPU time; the last one is cut to fit.
// They arrive by the hour of the day as Helios's do.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"
#include "formats/trace.hpp"

namespace weir::sim {

enum class WorkloadKind : std::uint8_t { kSmall, kGangs, kMixed, kPhilly, kHelios, kAcme };

// The names of all kinds.
std::span<const std::string_view> workload_kinds();
std::string_view to_text(WorkloadKind kind);
// By the names above. Errors: another name (the message lists them).
Result<WorkloadKind> parse_workload_kind(std::string_view text);

struct WorkloadOptions {
  WorkloadKind kind = WorkloadKind::kMixed;
  std::uint64_t seed = 1;
  std::uint64_t pool_gpus = 1024;
  std::uint32_t gpus_per_node = 8;
  Instant start;                           // of the first hour, a midnight
  Duration length = std::chrono::days(7);  // jobs are submitted in [start, start + length)
  double load = 0.8;                // GPU time asked over pool_gpus x length; above 1 is overload
  std::uint32_t biggest_gang = 64;  // nodes
  double gang_share = 0.7;          // of the GPU time of kMixed
};

// The jobs by time of submission, with their kind or type as vc, estimates equal to the runtime and
// no runtime above half of `length`. Errors: an option out of its range; gangs on a pool of one
// node; more jobs than limits::kJobFileJobs (kLimit).
Result<Trace> generate_workload(const WorkloadOptions& options);

}  // namespace weir::sim
