#include "store/open.hpp"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>

#include "os/descriptor.hpp"
#include "os/errors.hpp"
#include "store/schema.hpp"
#include "store/state_directory.hpp"

namespace weir::store {

Result<Database> open_database(const std::filesystem::path& path, const OpenOptions& options) {
  {
    // SQLite gives the log the mode of the database, and a new database the umask's.
    const os::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file.is_open()) return os::system_error(path, "cannot be opened", errno);
  }
  WEIR_TRY(sync_directory(path.parent_path()));
  Database database = WEIR_TRY(Database::open(path, /*create=*/false, options.vfs));
  // Exclusive first: then the log's index is in memory, and no other process can get in.
  WEIR_TRY(database.text("PRAGMA locking_mode = EXCLUSIVE"));
  WEIR_TRY(check_owner(database));
  const std::string mode = WEIR_TRY(database.text("PRAGMA journal_mode = WAL"));
  if (mode != "wal")
    return io_error(fmt::format("{}: SQLite offers no write-ahead log here (it says '{}')",
                                path.string(), mode));
  WEIR_TRY(
      database.execute(options.synced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF"));
  WEIR_TRY(database.execute(
      "PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY"));
  WEIR_TRY(migrate(database));
  return database;
}

Status remove_database(const std::filesystem::path& path) {
  for (const char* const suffix : {"", "-wal", "-shm", "-journal"}) {
    std::error_code failure;
    std::filesystem::remove(path.string() + suffix, failure);
    if (failure) return os::system_error(path, "cannot be removed", failure.value());
  }
  return {};
}

}  // namespace weir::store
