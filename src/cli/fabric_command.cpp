#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "lab/fabric_files.hpp"
#include "report/fabric_json.hpp"
#include "report/fabric_text.hpp"

namespace weir::cli {
namespace {

struct ShowOptions {
  std::vector<std::string> files;
  bool json = false;
};

int show(const ShowOptions& options) {
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  const Result<fabric::SiteView> view = lab::read_site(paths);
  if (!view) {
    fmt::print(stderr, "weir: {}\n", view.error().message);
    return 2;
  }
  const std::string text = options.json ? report::fabric_json(*view, options.files) + "\n"
                                        : report::fabric_text(*view, options.files);
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written ? 0 : 1;
}

}  // namespace

void add_fabric_command(CLI::App& app, int& exit_code) {
  CLI::App* fabric = app.add_subcommand("fabric", "What an InfiniBand fabric looks like");
  fabric->require_subcommand(1);
  CLI::App* command = fabric->add_subcommand(
      "show", "Planes, rails, units, pods, oversubscription and oddities of a fabric");
  const auto options = std::make_shared<ShowOptions>();
  command
      ->add_option("FILE", options->files,
                   "Output of ibnetdiscover, plain, .gz or .xz; several files (one a plane, or one "
                   "a fabric) make one site")
      ->required();
  command->add_flag("--json", options->json, "Print everything as one JSON object");
  command->callback([options, &exit_code] { exit_code = show(*options); });
  add_fabric_generate_command(*fabric, exit_code);
  add_fabric_paths_command(*fabric, exit_code);
  add_fabric_check_command(*fabric, exit_code);
  add_fabric_tables_command(*fabric, exit_code);
}

}  // namespace weir::cli
