// BackupFile: a copy of a store, made while the store goes on; and restore(), which makes a state
// directory of such a copy.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "base/result.hpp"
#include "store/database.hpp"

namespace weir::store {

// The bytes gather in `PATH.part`, which takes its name when they are complete and durable; without
// keep() nothing is left.
class BackupFile {
 public:
  // Errors: the file exists already (kBadInput); kIo.
  static Result<BackupFile> create(const std::filesystem::path& path);

  ~BackupFile();
  BackupFile(BackupFile&& other) noexcept = default;
  BackupFile& operator=(BackupFile&&) = delete;
  BackupFile(const BackupFile&) = delete;
  BackupFile& operator=(const BackupFile&) = delete;

  // REQUIRES: whoever uses `from`, and these three, does so one at a time.
  Status begin(Database& from);
  // True when all pages are copied.
  Result<bool> step(int pages);
  void end() { copy_.reset(); }

  Status keep();

 private:
  BackupFile(std::filesystem::path path, std::filesystem::path part, Database database);

  std::filesystem::path path_;
  std::filesystem::path part_;  // empty once it has its name
  std::unique_ptr<Database> database_;
  std::optional<PageCopy> copy_;
};

// Makes `directory`, which must be missing or empty, a state directory that holds what the backup
// holds. Errors: it is not empty, is no backup of Weir or of a newer one (kBadInput); the backup is
// damaged (kCorrupt); kIo. After an error the directory holds no store.
Status restore(const std::filesystem::path& backup, const std::filesystem::path& directory);

}  // namespace weir::store
