// What a store holds, read back with every seal checked; and a store built anew from what was good,
// the damaged one kept whole beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "store/database.hpp"
#include "store/store.hpp"

namespace weir::store {

// Reads up to the first turn that is missing or damaged; says what was found in `damages`. Changes
// nothing. Errors: kIo; kCorrupt when not even header and a first turn or snapshot can be read.
Result<Recovered> read_back(Database& database);

// Replaces the database by one that holds `good` and the history up to its last turn. The old file
// stays as `damaged-N.db` beside it, where N is the turn after the last good one; its path goes
// into `good.damages`. Until the last step the old file is in force.
Status rebuild(Database old, Recovered& good, const std::string& vfs);

// Before a database is opened: whether its write-ahead log is damaged (log_check.hpp). Then
// database and log are copied to `damaged-log.db` and `damaged-log.db-wal` beside it. The first
// turn that is lost is known only when the store was read back.
Result<std::optional<Damage>> keep_damaged_log(const std::filesystem::path& database);

}  // namespace weir::store
