// Whole files: read them, write them, and append to one (the journal).
//
// Every error begins with the path and says what the machine refused (kIo).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "os/descriptor.hpp"

namespace weir::os {

// The bytes as they lie on the disk. Errors: kIo; more than `limit` bytes (kLimit).
Result<std::vector<std::uint8_t>> read_file(const std::filesystem::path& path, std::size_t limit);

// The text of a file, decompressed when it is gzip or xz (os/byte_source.hpp).
// Errors: kIo, kCorrupt; more than `limit` bytes of text (kLimit).
Result<std::string> read_text(const std::filesystem::path& path, std::size_t limit);

// Writes a file and the folders above it. A reader sees the old file or the whole new one: the
// bytes go to a file beside it that takes its name at the end. Not synced: reports can be made
// again.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

// A file that only grows. Bytes gather in a buffer of 256 KiB; they are in the file after flush().
// After a failed call the file ends somewhere inside the last bytes; use it no more.
class AppendFile {
 public:
  // An empty file, whatever was there; creates the folders above it.
  static Result<AppendFile> create(const std::filesystem::path& path);
  // At the end of what is there; creates it when missing.
  static Result<AppendFile> open(const std::filesystem::path& path);

  // Flushes too, but an error is lost: close() says it.
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept = default;
  AppendFile& operator=(AppendFile&&) = delete;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  Status append(ByteSpan bytes);
  Status flush();
  // REQUIRES: no call after it.
  Status close();

  // Bytes in the file and in the buffer.
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  AppendFile(std::filesystem::path path, Descriptor fd, std::uint64_t size);
  static Result<AppendFile> open_with(const std::filesystem::path& path, int extra_flags);

  std::filesystem::path path_;
  Descriptor fd_;
  std::uint64_t size_ = 0;
  std::vector<std::uint8_t> buffer_;
};

}  // namespace weir::os
