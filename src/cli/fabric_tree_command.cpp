#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "lab/fabric_files.hpp"
#include "report/tree_json.hpp"
#include "report/tree_text.hpp"

namespace weir::cli {
namespace {

struct TreeOptions {
  std::vector<std::string> files;
  std::string blocks;
  bool json = false;
};

Status print_tree(const TreeOptions& options) {
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  const fabric::SiteTree tree = WEIR_TRY(lab::read_tree(paths, options.blocks));
  return put(options.json ? report::tree_json(tree) + "\n" : report::tree_text(tree));
}

}  // namespace

void add_fabric_tree(CLI::App& fabric, int& exit_code) {
  CLI::App* command = fabric.add_subcommand(
      "tree", "Where every node stands: fabric, pod, unit, NVLink block, with host lists");
  const auto options = std::make_shared<TreeOptions>();
  command->add_option("FILE", options->files, kFabricFiles)->required();
  command->add_option(
      "--blocks", options->blocks,
      "NVLink blocks: topology.conf, topograph's YAML, or lines of nodes and block, "
      "like \"node[001-018] rack1\"");
  command->add_flag("--json", options->json, "Print one JSON object");
  command->callback([options, &exit_code] {
    const Status done = print_tree(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
