// For tests: a text given to a push reader line by line, errors with the number of their line.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/trace.hpp"

namespace weir::testing {

template <typename Reader>
Result<Trace> read_lines(Reader&& reader, std::string_view text) {
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n'))
    if (const Status status = reader.line(line, ++number); !status)
      return bad_input(fmt::format("{}: {}", number, status.error().message));
  return reader.finish();
}

}  // namespace weir::testing
