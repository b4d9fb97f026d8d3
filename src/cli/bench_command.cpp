#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "lab/packing.hpp"
#include "lab/placement_claim.hpp"
#include "report/claim_text.hpp"

namespace weir::cli {
namespace {

struct Arguments {
  lab::PlacementClaimOptions options;
  std::string placements = "weir,firstfit,random";
  std::string seeds = "1..5";
  std::string trace = "made:mixed";
  double days = 14;
  double gradients_gb = 14;
  bool json = false;
};

Status run(Arguments arguments) {
  lab::PlacementClaimOptions& options = arguments.options;
  options.placements.clear();
  for (const std::string_view name : split(arguments.placements, ','))
    options.placements.emplace_back(name);
  options.seeds = WEIR_TRY(lab::parse_seeds(arguments.seeds));
  if (!arguments.trace.starts_with("made:"))
    return bad_input(fmt::format("--trace {}: expected made: and a kind of workload",
                                 weir::quoted(arguments.trace)));
  options.workload = WEIR_TRY(sim::parse_workload_kind(arguments.trace.substr(5)));
  options.length = from_seconds(arguments.days * 86'400);
  options.gradients = Bytes(static_cast<std::uint64_t>(arguments.gradients_gb * 1e9));
  const auto figures = WEIR_TRY(lab::measure_placement_claim(options));
  fmt::print("{}", arguments.json ? report::claim_json(options, figures) + "\n"
                                  : report::claim_text(options, figures));
  return {};
}

void add_placement(CLI::App& claims, int& exit_code) {
  CLI::App* command = claims.add_subcommand(
      "placement", "What placement does to the communication of gangs, modelled on real routes");
  const auto arguments = std::make_shared<Arguments>();
  lab::PlacementClaimOptions& options = arguments->options;
  command->add_option("--placement", arguments->placements, "The first is compared with the others")
      ->capture_default_str();
  command->add_option("--seeds", arguments->seeds, "Job streams, like 1..5")->capture_default_str();
  command->add_option("--trace", arguments->trace, "made:mixed, made:gangs, …")
      ->capture_default_str();
  command->add_option("--load", options.load, "Share of the GPU time that jobs ask for")
      ->check(CLI::Range(0.01, 10.0))
      ->capture_default_str();
  command->add_option("--days", arguments->days, "Days of jobs")
      ->check(CLI::Range(0.1, 365.0))
      ->capture_default_str();
  command->add_option("--fabric", options.fabric, "A name of `weir fabric generate --list`")
      ->capture_default_str();
  command->add_option("--uplinks", options.uplinks, "Cables up of a leaf, to oversubscribe it");
  command->add_option("--gradients", arguments->gradients_gb, "GB that each step all-reduces")
      ->check(CLI::Range(0.001, 10'000.0))
      ->capture_default_str();
  command->add_option("--compute", options.compute_s, "Seconds of computation in a step")
      ->check(CLI::Range(0.001, 10'000.0))
      ->capture_default_str();
  command
      ->add_option("--overlap", options.overlap,
                   "Share of the computation that communication hides behind")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->callback([arguments, &exit_code] {
    const Status done = run(*arguments);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace

void add_bench_command(CLI::App& app, int& exit_code) {
  CLI::App* bench = app.add_subcommand("bench", "Measure Weir, and what is said in its field");
  bench->require_subcommand(1);
  CLI::App* claims = bench->add_subcommand("claims", "Claims of the field, measured");
  claims->require_subcommand(1);
  add_placement(*claims, exit_code);
}

}  // namespace weir::cli
