// Fill: how much of a pool a placement can give away. Tasks of a log come one after another, in an
// order drawn at random, and stay; who does not fit when he comes goes again. As the packing papers
// measure it, on the core's own engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/rng.hpp"
#include "core/journal.hpp"
#include "formats/trace.hpp"
#include "sim/simulation.hpp"

namespace weir::sim {

// Rows of the trace in the order in which they come: every row once and then rows drawn at random
// until they ask for `fill` times the pool's GPUs, all of it shuffled and cut where that much has
// come. Errors: no row asks for a GPU, or too many rows are needed (kLimit).
Result<std::vector<std::uint32_t>> draw_rows(const SimulatedPool& pool, const Trace& trace,
                                             double fill, Rng& rng);

struct FillResult {
  std::uint64_t tasks = 0;   // that came
  std::uint64_t placed = 0;  // of these
  double allocated_pct = 0;  // of the pool's GPUs, in the end
  // Idle GPUs that typical demand cannot use, in per cent of the pool's, when tasks for 80 and for
  // 100 per cent of the pool have come.
  std::optional<double> fragmented_at_80;
  std::optional<double> fragmented_at_100;
  std::string journal_hash;
};

// The pool with its nodes joining in an order drawn at random: what ties go to the first node must
// not hang on the order of a list.
SimulatedPool with_shuffled_nodes(const SimulatedPool& pool, Rng& rng);

// Runs it under these settings; settings.typical is the demand by which fragments are counted.
// Errors: as of simulate().
Result<FillResult> fill_pool(const SimulatedPool& pool, const Trace& trace,
                             const std::vector<std::uint32_t>& rows,
                             const sched::Settings& settings, core::FrameSink journal = {});

// The job of a row, with its gang worked out where the log gives only a count of GPUs.
Job job_of_row(const TraceJob& row, std::uint32_t gpus_per_node);

}  // namespace weir::sim
