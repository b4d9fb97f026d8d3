// Reads a text file line by line, plain or compressed (gzip, xz; told by its first bytes, not by
// its name), in one pass with a bounded buffer.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

#include "base/result.hpp"

namespace weir::os {

// Gets a line without its '\n' and its number from 1. A failure ends the reading.
using LineHandler = std::function<Status(std::string_view line, std::size_t number)>;

// Calls `handler` for every line, also for a last one without '\n'. Errors: the file cannot be read
// (kIo); compressed bytes are broken or cut off (kCorrupt); a line or the whole input is longer
// than base/limits.hpp allows (kLimit); what the handler returned. Each message begins with the
// path, and those about a line with "path:number: ".
Status for_each_line(const std::filesystem::path& path, const LineHandler& handler);

// Gets the next bytes of a text, cut anywhere.
using ChunkHandler = std::function<Status(std::string_view chunk)>;

// The same for formats that know no lines; what the handler returned comes as it is.
Status for_each_chunk(const std::filesystem::path& path, const ChunkHandler& handler);

}  // namespace weir::os
