// Small files as they are, /proc and control groups too; without the decompressors of os/files.hpp,
// for programs that must start fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.hpp"

namespace weir::os {

// Errors begin with the path: kIo; more than `limit` bytes (kLimit).
Result<std::vector<std::uint8_t>> read_small_file(const std::filesystem::path& path,
                                                  std::size_t limit);

}  // namespace weir::os
