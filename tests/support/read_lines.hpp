// For tests: a text given to a push reader line by line.
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "base/result.hpp"
#include "base/text.hpp"

namespace weir::testing {

// What reader.finish() gives, or "LINE: what is wrong".
template <typename Reader>
auto read_lines(Reader&& reader, std::string_view text) -> decltype(reader.finish()) {
  std::size_t number = 0;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string_view line : split(text, '\n'))
    if (const Status status = reader.line(line, ++number); !status)
      return std::unexpected(
          Error{status.error().code, fmt::format("{}: {}", number, status.error().message)});
  return reader.finish();
}

}  // namespace weir::testing
