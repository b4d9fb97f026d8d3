#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "lab/scenario_files.hpp"
#include "report/scenario_text.hpp"

namespace weir::cli {
namespace {

int run_all(const std::vector<std::string>& arguments) {
  const auto files = lab::read_scenarios({arguments.begin(), arguments.end()});
  if (!files) return fail(files.error());
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (const lab::ScenarioFile& file : *files) {
    for (const ScenarioCase& one : file.cases) {
      const lab::ScenarioResult result = lab::run(one);
      fmt::print("{}", report::scenario_text(file.path, one, result));
      ++(result.failures.empty() ? passed : failed);
    }
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace

void add_scenario_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "scenario", "Run scenario files: small clusters, jobs, steps, and what must be true");
  const auto paths = std::make_shared<std::vector<std::string>>();
  command->add_option("FILE", *paths, "Scenario files, or folders with files that end in .scenario")
      ->required();
  command->callback([paths, &exit_code] { exit_code = run_all(*paths); });
}

}  // namespace weir::cli
