// Files that must be there after a loss of power, and that nobody else may read: keys, tokens.
//
// Every error begins with the path and says what the machine refused (kIo).
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.hpp"

namespace weir::os {

// A folder that only its owner may enter (0700), with the folders above it. One that is there is
// narrowed to that.
Status create_private_folder(const std::filesystem::path& folder);

// Writes a file that only its owner may read (0600). A reader sees the old file or the whole new
// one, also after a loss of power: when this returns, file and name are on the disk.
Status write_private_file(const std::filesystem::path& path, std::string_view bytes);

// Removes a file, durably; one that is not there is no error.
Status remove_file(const std::filesystem::path& path);

}  // namespace weir::os
