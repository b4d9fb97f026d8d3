#include "lab/fabric_files.hpp"

#include <utility>
#include <vector>

#include "formats/ibnetdiscover.hpp"
#include "os/lines.hpp"

namespace weir::lab {

Result<fabric::Snapshot> read_fabric_file(const std::filesystem::path& path) {
  IbnetdiscoverReader reader;
  const auto take = [&](std::string_view line, std::size_t number) {
    return reader.line(line, number);
  };
  if (Status status = os::for_each_line(path, take); !status)
    return std::unexpected(std::move(status).error());
  Result<fabric::Snapshot> snapshot = reader.finish();
  if (!snapshot)
    return std::unexpected(
        Error{snapshot.error().code, path.string() + ":" + snapshot.error().message});
  return snapshot;
}

Result<fabric::Snapshot> read_fabric(std::span<const std::filesystem::path> paths) {
  std::vector<fabric::Snapshot> snapshots;
  for (const std::filesystem::path& path : paths)
    snapshots.push_back(WEIR_TRY(read_fabric_file(path)));
  return fabric::merge(std::move(snapshots));
}

Result<fabric::SiteView> read_site(std::span<const std::filesystem::path> paths) {
  return fabric::analyse(WEIR_TRY(read_fabric(paths)));
}

}  // namespace weir::lab
