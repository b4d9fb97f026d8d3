#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "lab/fabric_files.hpp"
#include "report/fabric_json.hpp"
#include "report/fabric_text.hpp"
#include "report/tree_json.hpp"
#include "report/tree_text.hpp"

namespace weir::cli {
namespace {

struct ShowOptions {
  std::vector<std::string> files;
  bool json = false;
};

// Files without cables have no planes, rails and rates to show: where nodes stand is all they say.
Status show(const ShowOptions& options) {
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  lab::SiteFiles files = WEIR_TRY(lab::read_site_files(paths));
  if (!files.by_cables) {
    const fabric::SiteTree tree = WEIR_TRY(fabric::tree_of(files.names));
    return put(options.json ? report::tree_json(tree) + "\n" : report::tree_text(tree));
  }
  const fabric::SiteView view = fabric::analyse(std::move(files.graph));
  return put(options.json ? report::fabric_json(view, options.files) + "\n"
                          : report::fabric_text(view, options.files));
}

void add_show(CLI::App& fabric, int& exit_code) {
  CLI::App* command = fabric.add_subcommand(
      "show", "Planes, rails, units, pods, oversubscription and oddities of a fabric");
  const auto options = std::make_shared<ShowOptions>();
  command->add_option("FILE", options->files, kFabricFiles)->required();
  command->add_flag("--json", options->json, "Print everything as one JSON object");
  command->callback([options, &exit_code] {
    const Status done = show(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace

void add_fabric_command(CLI::App& app, int& exit_code) {
  CLI::App* fabric = app.add_subcommand("fabric", "What an InfiniBand fabric looks like");
  fabric->require_subcommand(1);
  add_show(*fabric, exit_code);
  add_fabric_tree(*fabric, exit_code);
  add_fabric_diff(*fabric, exit_code);
  add_fabric_convert(*fabric, exit_code);
  add_fabric_generate_command(*fabric, exit_code);
  add_fabric_paths_command(*fabric, exit_code);
  add_fabric_check_command(*fabric, exit_code);
  add_fabric_tables_command(*fabric, exit_code);
}

}  // namespace weir::cli
