// weir_bench: the benchmarks of Weir (bench/README.md).
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "benches.hpp"
#include "counters.hpp"

namespace {

using weir::Status;
using weir::bench::BenchOptions;
using weir::bench::BenchReport;

struct Entry {
  std::string_view name;
  Status (*run)(const BenchOptions& options, BenchReport& report);
  bool checks_answers;  // runs under --quick
};
constexpr Entry kBenches[] = {
    {"placement", weir::bench::bench_placement, true},
    {"turns", weir::bench::bench_turns, false},
    {"packing", weir::bench::bench_packing, false},
    {"memory", weir::bench::bench_memory, false},
    {"replay", weir::bench::bench_replay, false},
    {"readers", weir::bench::bench_readers, true},
    {"routes", weir::bench::bench_routes, false},
    {"store", weir::bench::bench_store, false},
};

constexpr std::string_view kUsage =
    "usage: weir_bench [--filter TEXT] [--json FILE] [--quick]\n"
    "\n"
    "  --filter TEXT  only benchmarks whose name contains TEXT:\n"
    "                 placement, turns, packing, memory, replay, readers, routes, store\n"
    "  --json FILE    write all figures there, too\n"
    "  --quick        small and short: only compares answers with the slow placer's, and what\n"
    "                 readers find with what their texts hold\n"
    "\n"
    "Exit status 1 when an answer or a reader is wrong; a missed bar is only printed.\n";

struct Arguments {
  BenchOptions options;
  std::string filter;
  std::string json;
};

std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--quick") {
      arguments.options.quick = true;
    } else if ((word == "--filter" || word == "--json") && i + 1 < argc) {
      (word == "--filter" ? arguments.filter : arguments.json) = argv[++i];
    } else {
      return std::nullopt;
    }
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = parse(argc, argv);
  if (!arguments) {
    fmt::print(stderr, "{}", kUsage);
    return 2;
  }
  BenchReport report;
  if (!weir::bench::InstructionCounter::open())
    report.note("instructions per decision: not available on this machine (perf_event_open)");
  for (const Entry& bench : kBenches) {
    if (bench.name.find(arguments->filter) == std::string_view::npos) continue;
    if (arguments->options.quick && !bench.checks_answers) continue;
    if (const Status done = bench.run(arguments->options, report); !done) {
      fmt::print(stderr, "weir_bench: {}: {}\n", bench.name, done.error().message);
      return EXIT_FAILURE;
    }
  }
  report.print_bars();
  if (!arguments->json.empty()) {
    if (const Status written = report.write_json(arguments->json); !written) {
      fmt::print(stderr, "weir_bench: {}\n", written.error().message);
      return EXIT_FAILURE;
    }
  }
  return report.answers_equal() ? EXIT_SUCCESS : EXIT_FAILURE;
}
