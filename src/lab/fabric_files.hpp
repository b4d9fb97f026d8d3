// Reads fabric files, whatever their format (formats/fabric_file.hpp), plain, gzip or xz: what the
// `weir fabric` commands and `weir sim --fabric` do. Errors begin with the path and, where one is
// to blame, the line.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "fabric/site_tree.hpp"
#include "fabric/site_view.hpp"
#include "formats/fabric_file.hpp"

namespace weir::lab {

// One file.
Result<FabricContent> read_fabric_file(const std::filesystem::path& path);

// Forwarding tables. Error: the file holds something else.
Result<fabric::ForwardingTables> read_forwarding(const std::filesystem::path& path);

// NVLink blocks from topology.conf, topograph's YAML or a plain list of nodes and blocks. Error:
// the file has none.
Result<std::vector<fabric::NamedBlock>> read_blocks(const std::filesystem::path& path);

// What one or several files say of one site.
struct SiteFiles {
  // From cables, one file a plane or a fabric; without one it is empty and `by_cables` false.
  fabric::Snapshot graph;
  bool by_cables = false;
  fabric::NamedTopology names;  // from files without cables; beside cables it has blocks only
};

// Errors also: two files describe the same switch; cables and switches by name together; forwarding
// tables, which say nothing about place. REQUIRES: at least one path; so below.
Result<SiteFiles> read_site_files(std::span<const std::filesystem::path> paths);

// Cables, as one snapshot. Error: a file has none.
Result<fabric::Snapshot> read_fabric(std::span<const std::filesystem::path> paths);

// The same, analysed.
Result<fabric::SiteView> read_site(std::span<const std::filesystem::path> paths);

// Where the nodes stand, with the blocks that the files, or `blocks`, tell. `blocks` may be empty.
Result<fabric::SiteTree> read_tree(std::span<const std::filesystem::path> paths,
                                   const std::filesystem::path& blocks);

}  // namespace weir::lab
