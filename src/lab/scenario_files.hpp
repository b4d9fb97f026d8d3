// Finds and reads scenario files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "formats/scenario.hpp"

namespace weir::lab {

struct ScenarioFile {
  std::string path;
  std::vector<ScenarioCase> cases;
};

// Files as they are named; of a folder all files below it that end in ".scenario", by path. Errors:
// a path that is not there, a folder without such a file, those of parse_scenarios().
Result<std::vector<ScenarioFile>> read_scenarios(const std::vector<std::filesystem::path>& paths);

}  // namespace weir::lab
