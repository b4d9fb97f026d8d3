// Packing placements on Alibaba's openb cluster: tasks for 130 % of the GPUs come and stay.
#include <filesystem>

#include "benches.hpp"
#include "data.hpp"
#include "formats/openb.hpp"
#include "pool/pool.hpp"
#include "sched/placement/placer.hpp"
#include "sim/fill.hpp"
#include "timings.hpp"

namespace weir::bench {
namespace {

const std::string kFolder = "traces/alibaba-openb-2023/";

template <typename Reader>
auto read(const std::string& name) -> decltype(Reader().finish()) {
  Reader reader;
  WEIR_TRY(os::for_each_line(
      data_file(kFolder + name),
      [&](std::string_view line, std::size_t number) { return reader.line(line, number); }));
  return reader.finish();
}

struct Filled {
  Timings timings;
  double allocated_pct = 0;
};

Result<Filled> fill(const sim::SimulatedPool& site, const Trace& trace,
                    const std::vector<std::uint32_t>& rows, const sched::PlacerEntry& entry) {
  std::vector<const Job*> jobs;
  for (const TraceJob& row : trace) jobs.push_back(&row.job);
  pool::Pool pool;
  WEIR_TRY(pool.learn(site.locality));
  for (const Node& node : site.nodes) WEIR_TRY(pool.join(node));
  const auto placer = entry.make();
  placer->expect(sched::typical_demand(jobs), pool.classes());
  static_cast<void>(pool.free());
  Filled filled;
  Rng rng(1);
  JobId next(1);
  for (const std::uint32_t row : rows) {
    const Job& job = trace[row].job;
    const sched::Request request =
        sched::resolve(job.gang, job.requirement, job.wish, pool.classes(), /*any_grade=*/false);
    filled.timings.time([&] {
      const auto placement = placer->place(pool.free(), request, rng);
      if (!placement) return false;
      Lease lease;
      lease.parts.push_back(
          pool.part_on(placement->nodes.front(), job.gang.per_node, placement->gpu));
      pool.grant(next, lease);
      return true;
    });
    next = JobId(next.value() + 1);
  }
  filled.allocated_pct = static_cast<double>(pool.ledger().leased_milli) / kWholeMilli * 100 /
                         static_cast<double>(pool.ledger().gpus);
  return filled;
}

}  // namespace

Status bench_packing(const BenchOptions& /*options*/, BenchReport& report) {
  if (!std::filesystem::exists(data_file(kFolder))) {
    report.note("packing: the data set is not here; set WEIR_TEST_DATA");
    return {};
  }
  sim::SimulatedPool site{flat_locality(),
                          WEIR_TRY(read<OpenbNodeReader>("openb_node_list_gpu_node.csv"))};
  const Trace trace = WEIR_TRY(read<OpenbTaskReader>("openb_pod_list_default.csv.gz"));
  Rng rng(42);
  site = sim::with_shuffled_nodes(site, rng);
  const auto rows = WEIR_TRY(sim::draw_rows(site, trace, 1.3, rng));
  report.table("Packing: openb, 1,213 nodes, tasks for 130 % of 6,212 GPUs", "placement",
               {"decisions", "decisions/s", "p50 ns", "p99 ns", "max ns", "allocated %"});
  for (const sched::PlacerEntry& entry : sched::placers()) {
    const Filled filled = WEIR_TRY(fill(site, trace, rows, entry));
    const Summary times = filled.timings.summary();
    report.row(std::string(entry.name), {static_cast<double>(times.count), times.per_second,
                                         times.p50, times.p99, times.max, filled.allocated_pct});
  }
  return {};
}

}  // namespace weir::bench
