#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "fabric/fat_tree_rules.hpp"
#include "fabric/reference_fabrics.hpp"
#include "formats/ibnetdiscover_writer.hpp"

namespace weir::cli {
namespace {

struct GenerateOptions {
  std::string name;
  bool list = false;
  fabric::FatTreeWish wish;
  std::string rate = "4xNDR";
  std::string out;
};

Status list_references() {
  std::string text =
      fmt::format("{:<14} {:>5} {:>6} {:>5} {:>6} {:>5} {:>7}  {:<8}  {}\n", "name", "nodes",
                  "GPUs", "leaf", "spine", "core", "cables", "figures", "family");
  for (const fabric::ReferenceFabric& row : fabric::reference_fabrics())
    text += fmt::format("{:<14} {:>5} {:>6} {:>5} {:>6} {:>5} {:>7}  {:<8}  {}\n", row.name,
                        row.nodes, row.gpus, row.leaves, row.spines, row.cores,
                        row.node_cables + row.spine_cables + row.core_cables, to_text(row.source),
                        row.family);
  return put(text);
}

std::unexpected<Error> no_such_name(const std::string& name) {
  std::vector<std::string_view> known;
  for (const fabric::ReferenceFabric& row : fabric::reference_fabrics()) known.push_back(row.name);
  const std::string_view near = closest(name, known);
  return bad_input(fmt::format(
      "no reference fabric is called {}{}: --list shows all, --nodes makes "
      "any other",
      weir::quoted(name), near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

Result<fabric::FatTree> plan(const GenerateOptions& options) {
  if (options.name.empty() == (options.wish.nodes == 0))
    return bad_input("give the name of a reference fabric (--list) or --nodes, one of them");
  if (!options.name.empty()) {
    const fabric::ReferenceFabric* row = fabric::reference_fabric_called(options.name);
    if (row == nullptr) return no_such_name(options.name);
    return plan_of(*row);
  }
  const auto rate = fabric::parse_link_rate(options.rate);
  if (!rate)
    return bad_input(fmt::format("--rate {}: expected a rate such as 4xHDR, 4xNDR or 4xXDR",
                                 weir::quoted(options.rate)));
  fabric::FatTreeWish wish = options.wish;
  wish.rate = *rate;
  return fabric::plan_fat_tree(wish);
}

// "site.ibnetdiscover" of several planes becomes "site.plane1.ibnetdiscover" and so on.
std::filesystem::path file_of_plane(const std::filesystem::path& out, std::size_t plane,
                                    std::size_t planes) {
  if (planes == 1) return out;
  return out.parent_path() /
         fmt::format("{}.plane{}{}", out.stem().string(), plane + 1, out.extension().string());
}

Status write_planes(const GenerateOptions& options) {
  const fabric::FatTree tree = WEIR_TRY(plan(options));
  const std::vector<fabric::Snapshot> planes = WEIR_TRY(fabric::generate_planes(tree));
  for (std::size_t p = 0; p < planes.size(); ++p) {
    const std::string text = write_ibnetdiscover(planes[p]);
    if (options.out.empty()) {
      if (planes.size() > 1)
        return bad_input("several planes need several files: name them with -o FILE");
      return put(text);
    }
    const std::filesystem::path file = file_of_plane(options.out, p, planes.size());
    WEIR_TRY(put(text, file));
    const auto hcas =
        std::ranges::count(planes[p].vertices, fabric::VertexKind::kHca, &fabric::Vertex::kind);
    fmt::print("{}: {} switches, {} HCAs, {} cables\n", file.string(),
               planes[p].vertices.size() - static_cast<std::size_t>(hcas), hcas,
               planes[p].links.size());
  }
  return {};
}

void add_options(CLI::App& command, GenerateOptions& options) {
  command.add_option("NAME", options.name, "A reference fabric, for example dgx-h100-127");
  command.add_flag("--list", options.list, "List the reference fabrics with their figures");
  command.add_option("--nodes", options.wish.nodes, "Instead of NAME: a tree of so many nodes");
  command.add_option("--rails", options.wish.rails, "HCAs of a node (8)");
  command.add_option("--planes", options.wish.planes,
                     "Subnets side by side that share the rails (1); each is a file of its own");
  command.add_option("--ports", options.wish.switch_ports, "Ports of a switch (64)");
  command.add_option("--uplinks", options.wish.leaf_uplinks,
                     "Cables up of a leaf (half its ports: nothing blocks)");
  command.add_option("--rate", options.rate, "Rate of all links (4xNDR)");
  command.add_option("-o,--out", options.out, "Write here instead of to standard output");
}

}  // namespace

void add_fabric_generate_command(CLI::App& fabric, int& exit_code) {
  CLI::App* command = fabric.add_subcommand(
      "generate", "Write a reference fabric, or a fat tree of any size, as ibnetdiscover would");
  const auto options = std::make_shared<GenerateOptions>();
  add_options(*command, *options);
  command->callback([options, &exit_code] {
    const Status done = options->list ? list_references() : write_planes(*options);
    exit_code = done ? 0 : fail(done.error());
  });
}

}  // namespace weir::cli
