#include "lab/pool_source.hpp"

#include <bit>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "fabric/generator.hpp"
#include "fabric/site_tree.hpp"
#include "fabric/site_view.hpp"
#include "formats/openb.hpp"
#include "lab/fabric_files.hpp"
#include "lab/file_error.hpp"
#include "os/lines.hpp"

namespace weir::lab {
namespace {

RailMask rails_of_all_fabrics(const fabric::SiteView& view) {
  auto rails = static_cast<RailMask>(view.fabrics.empty() ? 0 : ~0);
  for (const fabric::Fabric& one : view.fabrics) {
    RailMask its = 0;
    for (std::size_t r = 0; r < one.plane_by_rail.size(); ++r)
      if (!one.plane_by_rail[r].is_none()) its = static_cast<RailMask>(its | (1U << r));
    rails &= its;
  }
  return rails;
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_thousands(count), noun, count == 1 ? "" : "s");
}

LabPool pool_of_view(const fabric::SiteView& view, std::uint32_t gpus_per_node,
                     std::string_view source) {
  LabPool result;
  NodeKind kind;
  kind.total.gpus = gpus_per_node;
  result.pool = {fabric::locality(view), fabric::pool_nodes(view, kind)};
  result.rails = rails_of_all_fabrics(view);
  result.description =
      fmt::format("{} x {} GPUs in {}, {}, {}: {}", plural(result.pool.nodes.size(), "node"),
                  gpus_per_node, plural(view.units.size(), "unit"), plural(view.pods.size(), "pod"),
                  plural(view.fabrics.size(), "fabric"), source);
  if (!result.pool.locality.known) return result;
  std::vector<std::uint64_t> gpus(view.units.size(), 0);
  for (const Node& node : result.pool.nodes) gpus[node.cell.index()] += node.kind.total.gpus;
  const std::vector<LevelTable>& levels = result.pool.locality.levels;
  for (std::size_t i = 0; i < view.units.size(); ++i) {
    const Domain& unit = levels[0].domains[i];
    result.units.push_back({unit.name, levels[1].domains[unit.parent.index()].name, gpus[i]});
  }
  return result;
}

// The number of rails that most nodes have; of equals, the highest.
std::uint32_t usual_rails(const fabric::SiteView& view) {
  std::map<int, std::size_t> nodes_with;
  for (const fabric::ComputeNode& node : view.nodes) ++nodes_with[std::popcount(node.rails)];
  std::size_t most = 0;
  std::uint32_t usual = 1;
  for (const auto& [rails, nodes] : nodes_with) {
    if (nodes < most) continue;
    most = nodes;
    usual = static_cast<std::uint32_t>(std::max(rails, 1));
  }
  return usual;
}

// Names say nothing about rails, hence nothing about GPUs.
Result<LabPool> pool_of_tree(const fabric::SiteTree& tree, std::uint32_t gpus_per_node,
                             std::string_view source) {
  if (gpus_per_node == 0)
    return bad_input(fmt::format(
        "{}: a file without cables does not tell GPUs: say --gpus-per-node, like 8", source));
  LabPool result;
  result.pool = {tree.locality, tree.nodes};
  for (Node& node : result.pool.nodes) node.kind.total.gpus = gpus_per_node;
  const std::vector<LevelTable>& levels = tree.locality.levels;
  std::string domains;
  for (const LevelTable& table : levels)
    if (table.level != Level::kSite)
      domains += fmt::format(", {}", plural(table.domains.size(), to_text(table.level)));
  result.description = fmt::format("{} x {} GPUs in {}: {}", plural(tree.nodes.size(), "node"),
                                   gpus_per_node, domains.substr(2), source);
  // Cells are units, or blocks of one unit each.
  const std::size_t units = levels[0].level == Level::kUnit ? 0 : 1;
  std::vector<std::uint64_t> gpus(levels[units].domains.size(), 0);
  for (const Node& node : tree.nodes) {
    const DomainId unit = units == 0 ? node.cell : levels[0].domains[node.cell.index()].parent;
    gpus[unit.index()] += gpus_per_node;
  }
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const Domain& unit = levels[units].domains[i];
    result.units.push_back(
        {unit.name, levels[units + 1].domains[unit.parent.index()].name, gpus[i]});
  }
  return result;
}

}  // namespace

Result<LabPool> pool_of_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  const auto nodes = parse_unsigned(text.substr(0, cross));
  const auto gpus =
      cross == std::string_view::npos ? std::nullopt : parse_unsigned(text.substr(cross + 1));
  if (!nodes || !gpus || *nodes == 0 || *gpus == 0)
    return bad_input(fmt::format("--pool {}: expected NODESxGPUS, like 64x8", quoted(text)));
  if (*nodes > limits::kNodes || *gpus > limits::kGpusPerNode)
    return over_limit(fmt::format("--pool {}: at most {} nodes of {} GPUs", quoted(text),
                                  limits::kNodes, limits::kGpusPerNode));
  LabPool result;
  result.pool =
      sim::flat_pool(static_cast<std::uint32_t>(*nodes), static_cast<std::uint32_t>(*gpus));
  result.description = fmt::format("{} x {} GPUs, no topology",
                                   plural(static_cast<std::size_t>(*nodes), "node"), *gpus);
  return result;
}

Result<LabPool> pool_of_dumps(const std::vector<std::filesystem::path>& files,
                              std::uint32_t gpus_per_node) {
  std::string names;
  for (const std::filesystem::path& file : files)
    names += (names.empty() ? "" : ", ") + file.filename().string();
  SiteFiles site = WEIR_TRY(read_site_files(files));
  if (!site.by_cables) {
    const fabric::SiteTree tree = WEIR_TRY(fabric::tree_of(site.names));
    return pool_of_tree(tree, gpus_per_node, names);
  }
  const fabric::SiteView view = fabric::analyse(std::move(site.graph));
  if (view.nodes.empty())
    return bad_input(
        fmt::format("{}: no compute node is in this fabric; `weir fabric show` tells "
                    "what is",
                    names));
  return pool_of_view(view, gpus_per_node == 0 ? usual_rails(view) : gpus_per_node, names);
}

Result<LabPool> pool_of_node_list(std::string_view source) {
  constexpr std::string_view kOpenb = "openb:";
  if (!source.starts_with(kOpenb) || source.size() == kOpenb.size())
    return bad_input(fmt::format("--nodes {}: expected openb:FILE", quoted(source)));
  const std::filesystem::path path(source.substr(kOpenb.size()));
  OpenbNodeReader reader;
  WEIR_TRY(os::for_each_line(
      path, [&](std::string_view line, std::size_t number) { return reader.line(line, number); }));
  auto nodes = reader.finish();
  if (!nodes) return in_file(path, nodes.error());
  LabPool result;
  result.pool = {flat_locality(), *std::move(nodes)};
  result.description =
      fmt::format("{} with {} GPUs, no topology: {}", plural(result.pool.nodes.size(), "node"),
                  with_thousands(result.pool.gpus()), path.filename().string());
  return result;
}

Result<LabPool> generated_pool(std::uint32_t nodes) {
  const fabric::FatTree plan = fabric::fat_tree_of(nodes);
  const fabric::SiteView view = fabric::analyse(WEIR_TRY(fabric::generate(plan)));
  return pool_of_view(view, plan.rails, "generated rail-optimised fat tree");
}

}  // namespace weir::lab
