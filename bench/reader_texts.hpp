// Texts of every format that Weir reads, made in memory and shaped as real ones, so that readers
// can be measured without a data set and their answers compared with what was put in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace weir::bench {

struct ReaderText {
  std::string_view format;
  std::string text;
  std::size_t items = 0;  // cables, table entries, nodes or jobs that stand in it
  // Reads such a text as `weir` reads a file of it; the items found.
  Result<std::size_t> (*read)(std::string_view text) = nullptr;
};

// Texts `scale` times as long as the smallest ones; `quick` makes all of them small. Equal for
// equal arguments.
struct TextSize {
  std::uint32_t scale = 1;
  bool quick = false;
};

// A fabric with its cables and tables, and a site by names.
Result<std::vector<ReaderText>> fabric_texts(TextSize size);
// Job logs and job files.
Result<std::vector<ReaderText>> log_texts(TextSize size);

// Gives the lines of a text to a reader, then its finish().
template <typename Reader>
auto read_lines(Reader& reader, std::string_view text) -> decltype(reader.finish()) {
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (Status taken = reader.line(text.substr(0, end), ++number); !taken)
      return std::unexpected(std::move(taken).error());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

}  // namespace weir::bench
