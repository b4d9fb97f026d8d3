// Reads fabric files into one view of the site: what `weir fabric show` and `weir sim --fabric` do.
#pragma once

#include <filesystem>
#include <span>

#include "base/result.hpp"
#include "fabric/site_view.hpp"

namespace weir::lab {

// One file as ibnetdiscover prints it; plain, gzip or xz. Errors begin with the path and, where one
// is to blame, the line.
Result<fabric::Snapshot> read_fabric_file(const std::filesystem::path& path);

// One or several files (one a plane, or one a fabric) as one snapshot. Errors as above, and when
// two files describe the same switch. REQUIRES: at least one path.
Result<fabric::Snapshot> read_fabric(std::span<const std::filesystem::path> paths);

// The same, analysed.
Result<fabric::SiteView> read_site(std::span<const std::filesystem::path> paths);

}  // namespace weir::lab
