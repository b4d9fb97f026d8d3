#include "store/tables.hpp"

#include <array>
#include <initializer_list>

#include <fmt/format.h>

#include "base/checksum.hpp"
#include "base/limits.hpp"

namespace weir::store {
namespace {

std::int64_t as_row(std::uint64_t number) { return static_cast<std::int64_t>(number); }
std::uint64_t as_number(std::int64_t row) { return static_cast<std::uint64_t>(row); }

// A frame in the wrong place is as bad as a damaged one: the seal holds its number, too.
std::int64_t seal_of(std::uint64_t number, ByteSpan bytes) {
  std::array<std::uint8_t, 8> place{};
  for (std::size_t i = 0; i < place.size(); ++i)
    place[i] = static_cast<std::uint8_t>(number >> (8 * i));
  return as_row(crc64(bytes, crc64(place)));
}

Result<std::vector<Statement>> prepare_all(Database& database,
                                           std::initializer_list<std::string_view> texts) {
  std::vector<Statement> statements;
  for (const std::string_view text : texts) statements.push_back(WEIR_TRY(database.prepare(text)));
  return statements;
}

}  // namespace

namespace journal_sql {
enum : std::uint8_t { kInsert, kRead, kNext, kLast, kRemove };
}

Result<JournalTable> JournalTable::open(Database& database) {
  JournalTable table(database);
  table.statements_ = WEIR_TRY(prepare_all(
      database, {"INSERT INTO frame (number, seal, bytes) VALUES (?, ?, ?)",
                 "SELECT number, seal, bytes FROM frame WHERE number = ?",
                 "SELECT number, seal, bytes FROM frame WHERE number > ? ORDER BY number LIMIT 1",
                 "SELECT max(number) FROM frame",
                 "DELETE FROM frame WHERE number IN (SELECT number FROM frame "
                 "WHERE number BETWEEN 1 AND ? ORDER BY number LIMIT ?)"}));
  return table;
}

Status JournalTable::insert(std::uint64_t number, ByteSpan bytes) {
  return statements_[journal_sql::kInsert]
      .bind(as_row(number))
      .bind(seal_of(number, bytes))
      .bind(bytes)
      .run();
}

Result<std::optional<Frame>> JournalTable::one(Statement& query) {
  const bool row = WEIR_TRY(query.step());
  if (!row) return std::nullopt;
  const ByteSpan bytes = query.bytes(2);
  Frame frame{as_number(query.number(0)), {bytes.begin(), bytes.end()}};
  const std::int64_t seal = query.number(1);
  query.reset();
  if (seal != seal_of(frame.number, frame.bytes))
    return corrupt(fmt::format("the stored bytes of turn {} are damaged", frame.number));
  return frame;
}

Result<std::optional<Frame>> JournalTable::read(std::uint64_t number) {
  return one(statements_[journal_sql::kRead].bind(as_row(number)));
}

Result<std::optional<Frame>> JournalTable::next(std::uint64_t number) {
  return one(statements_[journal_sql::kNext].bind(as_row(number)));
}

Result<std::optional<std::uint64_t>> JournalTable::last() {
  Statement& query = statements_[journal_sql::kLast];
  const bool row = WEIR_TRY(query.step());
  std::optional<std::uint64_t> last;
  if (row && !query.is_null(0)) last = as_number(query.number(0));
  query.reset();
  return last;
}

Result<std::uint64_t> JournalTable::remove(std::uint64_t through, std::size_t most) {
  WEIR_TRY(statements_[journal_sql::kRemove].bind(as_row(through)).bind(as_row(most)).run());
  return database_->changes();
}

namespace snapshot_sql {
enum : std::uint8_t { kInsert, kSeal, kTurns, kRead, kParts, kUnseal, kRemove };
}

Result<SnapshotTable> SnapshotTable::open(Database& database) {
  SnapshotTable table(database);
  table.statements_ = WEIR_TRY(prepare_all(
      database, {"INSERT INTO snapshot_part (turn, part, bytes) VALUES (?, ?, ?)",
                 "INSERT INTO snapshot (turn, parts, size, seal) VALUES (?, ?, ?, ?)",
                 "SELECT turn FROM snapshot ORDER BY turn DESC",
                 "SELECT size, seal FROM snapshot WHERE turn = ?",
                 "SELECT bytes FROM snapshot_part WHERE turn = ? ORDER BY part",
                 "DELETE FROM snapshot WHERE turn < ?",
                 "DELETE FROM snapshot_part WHERE rowid IN (SELECT rowid FROM snapshot_part "
                 "WHERE turn NOT IN (SELECT turn FROM snapshot) LIMIT ?)"}));
  return table;
}

Status SnapshotTable::insert_part(std::uint64_t turn, std::size_t part, ByteSpan bytes) {
  return statements_[snapshot_sql::kInsert].bind(as_row(turn)).bind(as_row(part)).bind(bytes).run();
}

Status SnapshotTable::seal(std::uint64_t turn, ByteSpan bytes) {
  const std::size_t parts = (bytes.size() + kPartBytes - 1) / kPartBytes;
  return statements_[snapshot_sql::kSeal]
      .bind(as_row(turn))
      .bind(as_row(parts))
      .bind(as_row(bytes.size()))
      .bind(seal_of(turn, bytes))
      .run();
}

Result<std::vector<std::uint64_t>> SnapshotTable::turns() {
  Statement& query = statements_[snapshot_sql::kTurns];
  std::vector<std::uint64_t> turns;
  for (;;) {
    const bool row = WEIR_TRY(query.step());
    if (!row) return turns;
    turns.push_back(as_number(query.number(0)));
  }
}

Result<Snapshot> SnapshotTable::read(std::uint64_t turn) {
  Statement& head = statements_[snapshot_sql::kRead].bind(as_row(turn));
  const bool found = WEIR_TRY(head.step());
  const std::uint64_t size = found ? as_number(head.number(0)) : 0;
  const std::int64_t seal = found ? head.number(1) : 0;
  head.reset();
  Snapshot snapshot{turn, {}};
  Statement& parts = statements_[snapshot_sql::kParts].bind(as_row(turn));
  for (;;) {
    const bool row = WEIR_TRY(parts.step());
    if (!row) break;
    const ByteSpan bytes = parts.bytes(0);
    snapshot.bytes.insert(snapshot.bytes.end(), bytes.begin(), bytes.end());
  }
  if (!found || snapshot.bytes.size() != size || seal != seal_of(turn, snapshot.bytes))
    return corrupt(fmt::format("the stored bytes of the snapshot of turn {} are damaged", turn));
  return snapshot;
}

Status SnapshotTable::unseal(std::uint64_t oldest) {
  return statements_[snapshot_sql::kUnseal].bind(as_row(oldest)).run();
}

Result<std::uint64_t> SnapshotTable::remove_unsealed(std::size_t most) {
  WEIR_TRY(statements_[snapshot_sql::kRemove].bind(as_row(most)).run());
  return database_->changes();
}

namespace history_sql {
enum : std::uint8_t { kInsert, kFind, kScan, kScanUser, kRemove, kAll };
}

namespace {

constexpr std::string_view kColumns =
    "job, turn, attempts, name, user, queue, state, reason, submitted, started, ended, nodes, "
    "gpus, exit_code, signal, node_list, record";

std::string scan_sql(std::string_view condition) {
  return fmt::format(
      "SELECT {} FROM finished WHERE {} (ended, job) < (?, ?) AND ended >= ? "
      "ORDER BY ended DESC, job DESC LIMIT ?",
      kColumns, condition);
}

FinishedJob job_of(const Statement& row) {
  FinishedJob job;
  job.job = JobId(as_number(row.number(0)));
  job.attempts = static_cast<std::uint32_t>(row.number(2));
  job.name = row.text(3);
  job.user = row.text(4);
  job.queue = row.text(5);
  job.state = row.text(6);
  job.reason = row.text(7);
  job.submitted = Instant(row.number(8));
  if (!row.is_null(9)) job.started = Instant(row.number(9));
  job.ended = Instant(row.number(10));
  job.nodes = static_cast<std::uint32_t>(row.number(11));
  job.gpus = static_cast<std::uint32_t>(row.number(12));
  job.exit_code = static_cast<int>(row.number(13));
  job.signal = static_cast<int>(row.number(14));
  job.node_list = row.text(15);
  job.record = row.text(16);
  return job;
}

// Looks at short columns only: the record of a job that is not asked for stays on the disk.
bool takes(const HistoryFilter& filter, const Statement& row) {
  return (filter.name.empty() || row.text(3) == filter.name) &&
         (filter.user.empty() || row.text(4) == filter.user) &&
         (filter.state.empty() || row.text(6) == filter.state);
}

}  // namespace

Result<HistoryTable> HistoryTable::open(Database& database) {
  HistoryTable table(database);
  const std::string insert = fmt::format(
      "INSERT OR REPLACE INTO finished ({}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", kColumns);
  const std::string find = fmt::format("SELECT {} FROM finished WHERE job = ?", kColumns);
  const std::string all = fmt::format("SELECT {} FROM finished ORDER BY job", kColumns);
  const std::string scan = scan_sql("");
  const std::string scan_user = scan_sql("user = ? AND");
  table.statements_ =
      WEIR_TRY(prepare_all(database, {insert, find, scan, scan_user,
                                      "DELETE FROM finished WHERE job IN (SELECT job FROM finished "
                                      "WHERE ended < ? ORDER BY ended, job LIMIT ?)",
                                      all}));
  return table;
}

Status HistoryTable::insert(std::uint64_t turn, const FinishedJob& job) {
  Statement& row = statements_[history_sql::kInsert];
  row.bind(as_row(job.job.value())).bind(as_row(turn)).bind(as_row(job.attempts));
  row.bind(job.name).bind(job.user).bind(job.queue).bind(job.state).bind(job.reason);
  row.bind(job.submitted.microseconds());
  if (job.started)
    row.bind(job.started->microseconds());
  else
    row.bind_null();
  row.bind(job.ended.microseconds()).bind(as_row(job.nodes)).bind(as_row(job.gpus));
  row.bind(std::int64_t{job.exit_code}).bind(std::int64_t{job.signal});
  row.bind(job.node_list).bind(job.record);
  return row.run();
}

Result<std::optional<FinishedJob>> HistoryTable::find(JobId job) {
  Statement& query = statements_[history_sql::kFind].bind(as_row(job.value()));
  const bool row = WEIR_TRY(query.step());
  if (!row) return std::nullopt;
  FinishedJob found = job_of(query);
  query.reset();
  return found;
}

Result<bool> HistoryTable::scan(const HistoryFilter& filter, std::size_t most, HistoryPlace& place,
                                std::vector<FinishedJob>& jobs) {
  Statement& query = statements_[filter.user.empty() ? history_sql::kScan : history_sql::kScanUser];
  if (!filter.user.empty()) query.bind(filter.user);
  query.bind(place.ended.microseconds()).bind(as_row(place.job.value()));
  query.bind(filter.since.value_or(Instant(INT64_MIN)).microseconds()).bind(as_row(most));
  std::size_t seen = 0;
  for (;;) {
    const bool row = WEIR_TRY(query.step());
    if (!row) return seen == most;
    ++seen;
    place = {Instant(query.number(10)), JobId(as_number(query.number(0)))};
    if (!takes(filter, query)) continue;
    jobs.push_back(job_of(query));
    if (jobs.size() < filter.limit) continue;
    query.reset();
    return false;
  }
}

Result<std::uint64_t> HistoryTable::remove(Instant older_than, std::size_t most) {
  WEIR_TRY(
      statements_[history_sql::kRemove].bind(older_than.microseconds()).bind(as_row(most)).run());
  return database_->changes();
}

Status HistoryTable::copy_to(HistoryTable& other, std::uint64_t through) {
  Statement& query = statements_[history_sql::kAll];
  for (;;) {
    const bool row = WEIR_TRY(query.step());
    if (!row) return {};
    const std::uint64_t turn = as_number(query.number(1));
    if (turn <= through) WEIR_TRY(other.insert(turn, job_of(query)));
  }
}

}  // namespace weir::store
