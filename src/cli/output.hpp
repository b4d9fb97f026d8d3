// Where a command puts its text: standard output, or a file that -o names.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/result.hpp"
#include "os/files.hpp"

namespace weir::cli {

// Error: the text could not be written (kIo).
inline Status put(const std::string& text, const std::filesystem::path& file = {}) {
  if (!file.empty()) return os::write_file(file, text);
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return {};
  return io_error("standard output cannot be written");
}

}  // namespace weir::cli
