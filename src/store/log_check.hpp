// Damage in SQLite's write-ahead log that SQLite itself takes for its end: a flipped bit there
// would silently take every commit behind it.
//
// Each transaction is synced before the next begins, so of what lost power tears there is never
// more than one. Whole transactions behind a frame that does not check out mean that the disk has
// changed what was safe. (In the last one alone the two look the same, and no word is said.)
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace weir::store {

struct LogDamage {
  std::uint64_t frame = 0;         // the first that does not check out, from 1; 0: the head
  std::uint64_t transactions = 0;  // that end behind it, its own among them
};

// The bytes of a `-wal` file (SQLite's file format, 4). REQUIRES: it was checkpointed at the last
// opening, so that no earlier crash has left a torn transaction in it.
std::optional<LogDamage> find_log_damage(ByteSpan log);

// The same for the file of a database; none without one.
Result<std::optional<LogDamage>> check_log_of(const std::filesystem::path& database);

}  // namespace weir::store
