// The benchmarks, one file each, as main() calls them.
#pragma once

#include "base/result.hpp"
#include "report.hpp"

namespace weir::bench {

struct BenchOptions {
  // Small pools and few decisions: only to see that the answers are right.
  bool quick = false;
};

// Placement decisions at several loads, and how they grow with the pool. Compares a sample of the
// answers with the slow placer's.
Status bench_placement(const BenchOptions& options, BenchReport& report);
// Whole turns of the core: event, plan, journal record, state; backfill passes over long queues.
Status bench_turns(const BenchOptions& options, BenchReport& report);
// Time of a decision of each placement that packs single-node tasks, shares of GPUs among them.
Status bench_packing(const BenchOptions& options, BenchReport& report);
// Bytes of the whole state.
Status bench_memory(const BenchOptions& options, BenchReport& report);
// Jobs of a log simulated a second.
Status bench_replay(const BenchOptions& options, BenchReport& report);
// Reading every format, generated at two sizes, and logs and dumps of the data set. Compares what
// is found with what was put in.
Status bench_readers(const BenchOptions& options, BenchReport& report);
// Generated fabrics, their forwarding tables, and what a gang's ring puts on the cables.
Status bench_routes(const BenchOptions& options, BenchReport& report);
// Turns made durable one by one, beside raw fdatasync on the same disk.
Status bench_store(const BenchOptions& options, BenchReport& report);

}  // namespace weir::bench
