// The tables of the store and their version (PRAGMA user_version).
//
// A released step never changes; a change of the tables is one more step, with a test that takes an
// older store through it.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "store/database.hpp"

namespace weir::store {

// "WEIR" in PRAGMA application_id: tells our files from other SQLite databases.
inline constexpr std::int64_t kApplicationId = 0x57454952;
inline constexpr std::int64_t kSchemaVersion = 2;

// Brings a database to the tables of `version`, one transaction a step; a new file gets them all.
// Errors: it is another program's (kBadInput); it is of a newer Weir (kBadInput, names both
// versions).
Status migrate(Database& database, std::int64_t version = kSchemaVersion);

// That it is empty, or Weir's and not newer than this program; changes nothing.
Status check_owner(Database& database);
// The same, and that it is not empty.
Status check_format(Database& database);

}  // namespace weir::store
