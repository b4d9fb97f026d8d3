// Bytes of the whole state of 131,072 GPUs at 99 % load: resident set before and after.
#include <fstream>

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include "base/text.hpp"
#include "benches.hpp"
#include "engine_site.hpp"

namespace weir::bench {
namespace {

constexpr double kMegabyte = 1e6;
constexpr double kLoad = 0.99;

// Resident bytes after what is free went back to the system.
double resident_bytes() {
  ::malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// The site filled by `fill`, and what it takes.
template <typename Fill>
double bench_state(std::string name, const Cluster& cluster, Fill fill, BenchReport& report) {
  const double before = resident_bytes();
  EngineSite site(cluster, sched::Backfill::kNone, /*seed=*/5);
  fill(site);
  const double bytes = resident_bytes() - before;
  const pool::Pool& pool = site.engine().state().pool();
  report.row(std::move(name),
             {site.load() * 100, static_cast<double>(site.running()), bytes / kMegabyte,
              static_cast<double>(pool.free().bytes()) / kMegabyte,
              bytes / static_cast<double>(cluster.gpus())});
  return bytes;
}

}  // namespace

Status bench_memory(const BenchOptions& /*options*/, BenchReport& report) {
  const Cluster cluster = make_cluster(16'384);
  report.table("Memory: 16,384 nodes x 8 GPUs, state and planner", "jobs",
               {"load %", "jobs", "resident MB", "index MB", "bytes a GPU"});
  bench_state("none", cluster, [](EngineSite&) {}, report);
  const double single = bench_state(
      "1 GPU each", cluster,
      [](EngineSite& site) {
        while (site.load() < kLoad) {
          std::vector<Event> events;
          for (int i = 0; i < 1000; ++i) events.emplace_back(JobSubmitted{gpu_job(1, 1)});
          site.turn(std::move(events));
        }
      },
      report);
  const double mixed =
      bench_state("the mix", cluster, [](EngineSite& site) { site.fill_to(kLoad); }, report);
  report.bar(
      {"state of 131,072 GPUs, the larger", "MB", std::max(single, mixed) / kMegabyte, 200, false});
  return {};
}

}  // namespace weir::bench
