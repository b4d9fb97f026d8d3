// StateDirectory: where one controller keeps what it must not lose, locked for as long as it lives.
//
//   DIR/          mode 0700
//   DIR/lock      who holds it (pid), by flock(2), which the kernel frees however the holder ends
//   DIR/weir.db   the store
#pragma once

#include <filesystem>

#include "base/result.hpp"
#include "os/descriptor.hpp"

namespace weir::store {

class StateDirectory {
 public:
  // Creates it where missing. Errors: another controller holds it (kBadInput, names its pid);
  // others may enter it (kBadInput); the system's.
  static Result<StateDirectory> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path database() const { return path_ / "weir.db"; }

 private:
  StateDirectory(std::filesystem::path path, os::Descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  os::Descriptor lock_;
};

// Makes the names in a directory durable.
Status sync_directory(const std::filesystem::path& path);
// Makes a file's bytes durable.
Status sync_file(const std::filesystem::path& path);

}  // namespace weir::store
