// ByteSource: the bytes of a file as a stream, decompressed on the way when the file is gzip or xz.
//
// What a file is, its first bytes tell, never its name. Memory stays bounded whatever the input:
// 64 KiB of input, the window of the decompressor (at most kDecoderBytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "base/result.hpp"

namespace weir::os {

class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Fills the front of `room` and says how much; 0 only at the end. REQUIRES: room is not empty.
  // Errors begin with the path: kIo when the machine refuses, kCorrupt when compressed bytes are
  // broken or cut off, kLimit when they want more memory to decompress than we give.
  virtual Result<std::size_t> read(std::span<std::uint8_t> room) = 0;
};

// Opens a file, pipe or device. Errors: missing, forbidden, a directory (kIo).
Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& path);
// The same, but compressed bytes come as they are.
Result<std::unique_ptr<ByteSource>> open_raw_source(const std::filesystem::path& path);

}  // namespace weir::os
