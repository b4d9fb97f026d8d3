// An error of a reader that knows no files, with the file in front.
#pragma once

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/result.hpp"

namespace weir::lab {

// "FILE:LINE: message" where the message begins with "LINE: ", else "FILE: message".
inline std::unexpected<Error> in_file(const std::filesystem::path& path, Error error) {
  const std::size_t digits = error.message.find_first_not_of("0123456789");
  const bool has_line = digits != 0 && digits != std::string::npos && error.message[digits] == ':';
  error.message = fmt::format("{}:{}{}", path.string(), has_line ? "" : " ", error.message);
  return std::unexpected(std::move(error));
}

}  // namespace weir::lab
