// How a failed call to the operating system reads: "path: cannot be opened: No such file or
// directory".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "base/result.hpp"

namespace weir::os {

// `code` is an errno.
inline std::unexpected<Error> system_error(const std::filesystem::path& path, std::string_view what,
                                           int code) {
  return io_error(path.string() + ": " + std::string(what) + ": " +
                  std::generic_category().message(code));
}

}  // namespace weir::os
