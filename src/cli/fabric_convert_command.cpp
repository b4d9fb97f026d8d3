#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "formats/ibnetdiscover_writer.hpp"
#include "formats/topology_conf_writer.hpp"
#include "lab/fabric_files.hpp"
#include "report/tree_json.hpp"

namespace weir::cli {
namespace {

struct ConvertOptions {
  std::vector<std::string> files;
  std::string blocks;
  std::string to;
  std::string out;
};

Result<std::string> converted(const ConvertOptions& options) {
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  if (options.to == "ibnetdiscover") {
    if (!options.blocks.empty())
      return bad_input("--blocks: ibnetdiscover has no place for NVLink blocks: leave it out");
    return write_ibnetdiscover(WEIR_TRY(lab::read_fabric(paths)));
  }
  const fabric::SiteTree tree = WEIR_TRY(lab::read_tree(paths, options.blocks));
  for (const std::string& remark : tree.remarks) fmt::print(stderr, "weir: {}\n", remark);
  if (options.to == "topology.conf" && tree.locality.levels.front().level == Level::kBlock)
    fmt::print(stderr,
               "weir: Slurm's tree has no place for NVLink blocks: `--to topology-block` writes "
               "them\n");
  if (options.to == "json") return report::tree_json(tree) + "\n";
  if (tree.nodes.empty())
    return bad_input(
        fmt::format("{}: no compute node is in this fabric; `weir fabric show` tells what is",
                    options.files.front()));
  return options.to == "topology.conf" ? write_topology_tree(tree) : write_topology_blocks(tree);
}

Status convert(const ConvertOptions& options) {
  return put(WEIR_TRY(converted(options)), options.out);
}

}  // namespace

void add_fabric_convert(CLI::App& fabric, int& exit_code) {
  CLI::App* command = fabric.add_subcommand("convert", "A fabric in another format");
  const auto options = std::make_shared<ConvertOptions>();
  command->add_option("FILE", options->files, kFabricFiles)->required();
  command
      ->add_option("--to", options->to,
                   "ibnetdiscover (needs cables), topology.conf (Slurm's tree plugin), "
                   "topology-block (its block plugin), or json (where every node stands)")
      ->required()
      ->check(CLI::IsMember({"ibnetdiscover", "topology.conf", "topology-block", "json"}));
  command->add_option("--blocks", options->blocks, "NVLink blocks, as in `weir fabric tree`");
  command->add_option("-o,--out", options->out, "File to write (default: standard output)");
  command->callback([options, &exit_code] {
    const Status done = convert(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
