#include "store/schema.hpp"

#include <array>
#include <tuple>

#include <fmt/format.h>

namespace weir::store {
namespace {

// Step n leads from version n to n + 1.
constexpr std::array<const char*, kSchemaVersion> kSteps = {
    // Seals are crc64 over number and bytes. A snapshot counts once its row in `snapshot` is there.
    R"(
CREATE TABLE frame (number INTEGER PRIMARY KEY, seal INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE TABLE snapshot (turn INTEGER PRIMARY KEY, parts INTEGER NOT NULL, size INTEGER NOT NULL,
  seal INTEGER NOT NULL) STRICT;
CREATE TABLE snapshot_part (turn INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (turn, part)) STRICT;
CREATE TABLE finished (job INTEGER PRIMARY KEY, turn INTEGER NOT NULL, attempts INTEGER NOT NULL,
  name TEXT NOT NULL, user TEXT NOT NULL, queue TEXT NOT NULL, state TEXT NOT NULL,
  reason TEXT NOT NULL, submitted INTEGER NOT NULL, started INTEGER, ended INTEGER NOT NULL,
  nodes INTEGER NOT NULL, gpus INTEGER NOT NULL, exit_code INTEGER NOT NULL,
  signal INTEGER NOT NULL, node_list TEXT NOT NULL, record TEXT NOT NULL) STRICT;
CREATE INDEX finished_by_end ON finished (ended, job);
)",
    // A user's own jobs among millions.
    "CREATE INDEX finished_by_user ON finished (user, ended, job);",
};

Result<std::int64_t> pragma(Database& database, const char* name) {
  const auto value = WEIR_TRY(database.number(fmt::format("PRAGMA {}", name)));
  return value.value_or(0);
}

// 0 for a file without any table.
Result<std::int64_t> version_of(Database& database) {
  const std::int64_t version = WEIR_TRY(pragma(database, "user_version"));
  const std::int64_t application = WEIR_TRY(pragma(database, "application_id"));
  const auto tables = WEIR_TRY(database.number("SELECT count(*) FROM sqlite_schema"));
  if (application == 0 && version == 0 && tables == 0) return 0;
  if (application != kApplicationId)
    return bad_input(fmt::format("{}: this is a database of another program, not Weir's store",
                                 database.path().string()));
  if (version > kSchemaVersion)
    return bad_input(fmt::format(
        "{}: the store has format {}, this program knows formats up to {}: use the newer Weir that "
        "wrote it, or restore a backup from before",
        database.path().string(), version, kSchemaVersion));
  return version;
}

}  // namespace

Status migrate(Database& database, std::int64_t version) {
  const std::int64_t from = WEIR_TRY(version_of(database));
  for (std::int64_t step = from; step < version; ++step) {
    const std::string sql = fmt::format(
        "BEGIN IMMEDIATE;{} PRAGMA application_id = {}; PRAGMA user_version = {}; "
        "COMMIT;",
        kSteps.at(static_cast<std::size_t>(step)), kApplicationId, step + 1);
    if (Status done = database.execute(sql); !done) {
      if (database.in_transaction()) std::ignore = database.execute("ROLLBACK");
      return done;
    }
  }
  return {};
}

Status check_owner(Database& database) {
  std::ignore = WEIR_TRY(version_of(database));
  return {};
}

Status check_format(Database& database) {
  const std::int64_t version = WEIR_TRY(version_of(database));
  if (version == 0)
    return bad_input(
        fmt::format("{}: this is an empty database, not Weir's store", database.path().string()));
  return {};
}

}  // namespace weir::store
