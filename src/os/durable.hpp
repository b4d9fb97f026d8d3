// Files that a crash of the machine must not undo, and the lock that says who owns a folder.
//
// Every error begins with the path and says what the machine refused (kIo).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "os/descriptor.hpp"

namespace weir::os {

// A reader sees the old file or the whole new one, also after a crash. The mode is 0600.
Status write_durably(const std::filesystem::path& path, ByteSpan bytes);

// A file that only grows. When append() returns, the bytes are on the disk, and so is the file's
// name if it is new: every journaling file system of Linux commits a new file's folder entry with
// its first fsync.
class DurableLog {
 public:
  // Behind what is there; creates it when missing, with mode 0600.
  static Result<DurableLog> open(const std::filesystem::path& path);
  // Drops what stands behind the first `bytes`: what a crash has torn.
  Status cut(std::uint64_t bytes);
  // After an error nothing of it is left in the file: it can be tried again.
  Status append(ByteSpan bytes);

 private:
  DurableLog(std::filesystem::path path, Descriptor fd, std::uint64_t size)
      : path_(std::move(path)), fd_(std::move(fd)), size_(size) {}

  std::filesystem::path path_;
  Descriptor fd_;
  std::uint64_t size_ = 0;
};

// Held by at most one process (and those it forked) until its descriptor is closed, as the kernel
// does when they have died. Nothing: another holds it. Creates the file.
Result<std::optional<Descriptor>> try_lock(const std::filesystem::path& path);

}  // namespace weir::os
