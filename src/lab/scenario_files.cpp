#include "lab/scenario_files.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "os/files.hpp"

namespace weir::lab {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed))
    if (at->path().extension() == ".scenario" && at->is_regular_file(failed))
      files.push_back(at->path());
  if (failed) return io_error(fmt::format("{}: {}", folder.string(), failed.message()));
  if (files.empty())
    return bad_input(fmt::format("{}: no file in it ends in .scenario", folder.string()));
  std::ranges::sort(files);
  return files;
}

}  // namespace

Result<std::vector<ScenarioFile>> read_scenarios(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
      files.push_back(path);
      continue;
    }
    const std::vector<fs::path> below = WEIR_TRY(files_below(path));
    files.insert(files.end(), below.begin(), below.end());
  }
  std::vector<ScenarioFile> read;
  for (const fs::path& file : files) {
    const std::string text = WEIR_TRY(os::read_text(file, limits::kScenarioBytes));
    read.push_back({file.string(), WEIR_TRY(parse_scenarios(text, file.string()))});
  }
  return read;
}

}  // namespace weir::lab
