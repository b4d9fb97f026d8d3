// Opens a store's database the way Weir wants every one: write-ahead log, every commit synced, one
// process, the tables of the present format.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"
#include "store/database.hpp"

namespace weir::store {

struct OpenOptions {
  std::string vfs;  // SQLite's name of a file layer; empty: the system's
  // False only in a test that shows what is lost then.
  bool synced = true;
};

// Creates it where missing, readable by its owner alone. Errors: those of migrate(); kIo.
Result<Database> open_database(const std::filesystem::path& path, const OpenOptions& options);

// Removes a database and what SQLite kept beside it; none is no error.
Status remove_database(const std::filesystem::path& path);

}  // namespace weir::store
