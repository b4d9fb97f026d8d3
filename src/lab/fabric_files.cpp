#include "lab/fabric_files.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "lab/file_error.hpp"
#include "os/lines.hpp"

namespace weir::lab {
namespace {

std::unexpected<Error> about(const std::filesystem::path& path, const std::string& message) {
  return bad_input(fmt::format("{}: {}", path.string(), message));
}

Result<FabricContent> read(const std::filesystem::path& path,
                           std::optional<FabricFormat> otherwise) {
  FabricFileReader reader(otherwise);
  const auto take = [&](std::string_view line, std::size_t number) {
    return reader.line(line, number);
  };
  if (Status status = os::for_each_line(path, take); !status)
    return std::unexpected(std::move(status).error());
  Result<FabricContent> content = reader.finish();
  if (!content) return in_file(path, std::move(content).error());
  return content;
}

constexpr std::string_view kNoCables =
    "expected cables (ibnetdiscover, ibnetdiscover -p or opensm-subnet.lst), found ";

}  // namespace

Result<FabricContent> read_fabric_file(const std::filesystem::path& path) {
  return read(path, std::nullopt);
}

Result<fabric::ForwardingTables> read_forwarding(const std::filesystem::path& path) {
  FabricContent content = WEIR_TRY(read_fabric_file(path));
  if (auto* tables = std::get_if<fabric::ForwardingTables>(&content)) return std::move(*tables);
  return about(path,
               "expected forwarding tables (opensm-lfts.dump or opensm.fdbs), found a fabric");
}

Result<std::vector<fabric::NamedBlock>> read_blocks(const std::filesystem::path& path) {
  FabricContent content = WEIR_TRY(read(path, FabricFormat::kBlockList));
  auto* names = std::get_if<fabric::NamedTopology>(&content);
  if (names == nullptr || names->blocks.empty())
    return about(path,
                 "expected NVLink blocks (BlockName lines of topology.conf, topograph's YAML, or "
                 "lines of nodes and block), found none");
  return std::move(names->blocks);
}

Result<SiteFiles> read_site_files(std::span<const std::filesystem::path> paths) {
  std::vector<fabric::Snapshot> snapshots;
  std::vector<fabric::NamedTopology> names;
  for (const std::filesystem::path& path : paths) {
    FabricContent content = WEIR_TRY(read_fabric_file(path));
    if (auto* snapshot = std::get_if<fabric::Snapshot>(&content))
      snapshots.push_back(std::move(*snapshot));
    else if (auto* topology = std::get_if<fabric::NamedTopology>(&content))
      names.push_back(std::move(*topology));
    else
      return about(path, "expected a description of where nodes stand, found forwarding tables");
  }
  SiteFiles files;
  if (!names.empty()) files.names = WEIR_TRY(fabric::merge(std::move(names)));
  files.by_cables = !snapshots.empty();
  if (!files.by_cables) return files;
  files.graph = WEIR_TRY(fabric::merge(std::move(snapshots)));
  if (!files.names.switches.empty())
    return bad_input(
        "expected either cables or switches by name, found both among the files: of a file with "
        "names, only its blocks can add to cables (--blocks FILE)");
  return files;
}

Result<fabric::Snapshot> read_fabric(std::span<const std::filesystem::path> paths) {
  std::vector<fabric::Snapshot> snapshots;
  for (const std::filesystem::path& path : paths) {
    FabricContent content = WEIR_TRY(read_fabric_file(path));
    if (auto* snapshot = std::get_if<fabric::Snapshot>(&content))
      snapshots.push_back(std::move(*snapshot));
    else
      return about(path, fmt::format("{}{}", kNoCables,
                                     std::holds_alternative<fabric::NamedTopology>(content)
                                         ? "names only"
                                         : "forwarding tables"));
  }
  return fabric::merge(std::move(snapshots));
}

Result<fabric::SiteView> read_site(std::span<const std::filesystem::path> paths) {
  return fabric::analyse(WEIR_TRY(read_fabric(paths)));
}

Result<fabric::SiteTree> read_tree(std::span<const std::filesystem::path> paths,
                                   const std::filesystem::path& blocks) {
  SiteFiles files = WEIR_TRY(read_site_files(paths));
  if (!blocks.empty()) files.names.blocks = WEIR_TRY(read_blocks(blocks));
  if (!files.by_cables) return fabric::tree_of(files.names);
  fabric::SiteTree tree = fabric::tree_of(fabric::analyse(std::move(files.graph)));
  if (files.names.blocks.empty() || tree.nodes.empty()) return tree;
  return fabric::with_blocks(std::move(tree), files.names.blocks);
}

}  // namespace weir::lab
