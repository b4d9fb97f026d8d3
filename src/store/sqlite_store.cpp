#include "store/sqlite_store.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "store/backup.hpp"
#include "store/history.hpp"
#include "store/recovery.hpp"

namespace weir::store {
namespace {

// Pages of 4 KiB in the log after which tidy() brings them to the database, and after which a
// commit does not wait for tidy(): 16 MiB take some 30 ms, once in some seconds under full load.
constexpr int kTidyPages = 1000;
constexpr int kMostPages = 4096;
// Rows of one step of a long call: about a millisecond, for which a commit may have to wait.
constexpr std::size_t kStepRows = 1000;
// Frames, which may be large, and parts of snapshots of 1 MiB.
constexpr std::uint64_t kStepFrames = 64;
constexpr std::uint64_t kStepParts = 4;
constexpr int kStepPages = 256;

}  // namespace

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::filesystem::path& directory,
                                                       OpenOptions options) {
  StateDirectory locked = WEIR_TRY(StateDirectory::open(directory));
  std::unique_ptr<SqliteStore> store(new SqliteStore(std::move(locked), std::move(options)));
  store->log_damage_ = WEIR_TRY(keep_damaged_log(store->directory_.database()));
  WEIR_TRY(store->open_content());
  // What a crash has torn must not stand behind the next commits (log_check.hpp).
  WEIR_TRY(store->content_->database->checkpoint());
  return store;
}

Status SqliteStore::open_content() {
  content_.reset();
  auto database =
      std::make_unique<Database>(WEIR_TRY(open_database(directory_.database(), options_)));
  JournalTable journal = WEIR_TRY(JournalTable::open(*database));
  SnapshotTable snapshots = WEIR_TRY(SnapshotTable::open(*database));
  HistoryTable history = WEIR_TRY(HistoryTable::open(*database));
  content_.reset(new Content{std::move(database), std::move(journal), std::move(snapshots),
                             std::move(history)});
  return {};
}

Result<Recovered> SqliteStore::recover() {
  const std::lock_guard guard(lock_);
  if (failed_) return std::unexpected(*failed_);
  Result<Recovered> recovered = read_and_repair();
  if (!recovered)
    failed_ = recovered.error();
  else
    next_ = recovered->header ? recovered->last_turn() + 1 : 0;
  if (recovered && log_damage_) {
    log_damage_->first_lost = next_;
    recovered->damages.push_back(*std::exchange(log_damage_, std::nullopt));
  }
  return recovered;
}

Result<Recovered> SqliteStore::read_and_repair() {
  Recovered recovered = WEIR_TRY(read_back(*content_->database));
  if (recovered.damages.empty()) return recovered;
  Database old = std::move(*content_->database);
  content_.reset();
  WEIR_TRY(rebuild(std::move(old), recovered, options_.vfs));
  WEIR_TRY(open_content());
  return recovered;
}

template <typename Work>
Status SqliteStore::transact_locked(Work work) {
  if (failed_) return std::unexpected(*failed_);
  Database& database = *content_->database;
  Status done = database.execute("BEGIN IMMEDIATE");
  if (done) done = work();
  if (done) done = database.execute("COMMIT");
  if (done) return {};
  Status undone;
  if (database.in_transaction()) undone = database.execute("ROLLBACK");
  // After a failed sync nobody knows what the disk holds: to go on could lose what we say is safe.
  if (done.error().code != Errc::kDiskFull || !undone) failed_ = done.error();
  return done;
}

template <typename Work>
Status SqliteStore::transact(Work work) {
  const std::lock_guard guard(lock_);
  WEIR_TRY(transact_locked(std::move(work)));
  return checkpoint(kMostPages);
}

template <typename Removal>
Result<std::uint64_t> SqliteStore::remove_in_steps(std::uint64_t most, std::uint64_t step,
                                                   Removal removal) {
  std::uint64_t all = 0;
  while (all < most) {
    const std::uint64_t now = std::min(step, most - all);
    Result<std::uint64_t> removed = 0;
    const Status done = transact([&]() -> Status {
      removed = removal(now);
      return removed ? Status() : std::unexpected(removed.error());
    });
    if (!done) return std::unexpected(done.error());
    all += *removed;
    if (*removed < now) break;
  }
  return all;
}

Status SqliteStore::checkpoint(int pages) {
  if (failed_) return std::unexpected(*failed_);
  if (content_->database->log_pages() <= pages) return {};
  Status moved = content_->database->checkpoint();
  // On a full disk the pages stay in the log, where they are as safe.
  if (moved || moved.error().code == Errc::kDiskFull) return {};
  failed_ = moved.error();
  return moved;
}

Status SqliteStore::insert(const TurnWrite& turn) {
  WEIR_TRY(content_->journal.insert(turn.number, turn.frame));
  for (const FinishedJob& job : turn.finished) WEIR_TRY(content_->history.insert(turn.number, job));
  return {};
}

Status SqliteStore::commit(const TurnWrite& turn) {
  const std::lock_guard guard(lock_);
  if (failed_) return std::unexpected(*failed_);
  if (turn.number != next_)
    return bad_input(
        fmt::format("turn {} is to be committed, turn {} is the next", turn.number, next_));
  if (turn.frame.size() > limits::kJournalRecordBytes + limits::kTextBytes)
    return over_limit(fmt::format("the frame of turn {} has {} bytes, the limit is {}", turn.number,
                                  turn.frame.size(), limits::kJournalRecordBytes));
  WEIR_TRY(transact_locked([&] { return insert(turn); }));
  ++next_;
  // The turn is durable, whatever becomes of the log: a failure stops the next one.
  [[maybe_unused]] const Status kept = checkpoint(kMostPages);
  return {};
}

Status SqliteStore::tidy() {
  const std::lock_guard guard(lock_);
  return checkpoint(kTidyPages);
}

Result<std::optional<std::uint64_t>> SqliteStore::newest_snapshot(std::uint64_t before) {
  const std::lock_guard guard(lock_);
  if (failed_) return std::unexpected(*failed_);
  if (before >= next_)
    return bad_input(fmt::format("a snapshot of turn {} before that turn is committed", before));
  const auto turns = WEIR_TRY(content_->snapshots.turns());
  if (turns.empty()) return std::nullopt;
  if (turns.front() >= before)
    return bad_input(
        fmt::format("a snapshot of turn {}, but there is one of turn {}", before, turns.front()));
  return turns.front();
}

Status SqliteStore::save_snapshot(std::uint64_t turn, ByteSpan bytes) {
  const std::lock_guard one_at_a_time(snapshot_mutex_);
  if (bytes.size() > limits::kSnapshotBytes)
    return over_limit(fmt::format("a snapshot of {} bytes, the limit is {}", bytes.size(),
                                  limits::kSnapshotBytes));
  const auto before = WEIR_TRY(newest_snapshot(turn));
  WEIR_TRY(remove_leftover_parts());
  if (Status written = write_snapshot(turn, bytes); !written) {
    if (written.error().code == Errc::kDiskFull) std::ignore = remove_leftover_parts();
    return written;
  }
  return before ? remove_before(*before) : Status();
}

Status SqliteStore::write_snapshot(std::uint64_t turn, ByteSpan bytes) {
  constexpr std::size_t kPart = SnapshotTable::kPartBytes;
  for (std::size_t at = 0; at < bytes.size(); at += kPart) {
    const ByteSpan part = bytes.subspan(at, std::min(kPart, bytes.size() - at));
    const Status written =
        transact([&] { return content_->snapshots.insert_part(turn, at / kPart, part); });
    if (!written) return written;
  }
  return transact([&] { return content_->snapshots.seal(turn, bytes); });
}

Status SqliteStore::remove_leftover_parts() {
  std::ignore = WEIR_TRY(remove_in_steps(UINT64_MAX, kStepParts, [&](std::uint64_t most) {
    return content_->snapshots.remove_unsealed(most);
  }));
  return {};
}

Status SqliteStore::remove_before(std::uint64_t turn) {
  WEIR_TRY(transact([&] { return content_->snapshots.unseal(turn); }));
  WEIR_TRY(remove_leftover_parts());
  std::ignore = WEIR_TRY(remove_in_steps(UINT64_MAX, kStepFrames, [&](std::uint64_t most) {
    return content_->journal.remove(turn, most);
  }));
  return {};
}

Result<std::vector<FinishedJob>> SqliteStore::history(const HistoryFilter& filter) {
  WEIR_TRY(check_limit(filter));
  std::vector<FinishedJob> jobs;
  if (filter.job) {
    const std::lock_guard guard(lock_);
    auto job = WEIR_TRY(content_->history.find(*filter.job));
    if (job && selects(filter, *job)) jobs.push_back(*std::move(job));
    return jobs;
  }
  HistoryPlace place = first_place(filter);
  for (bool more = true; more;) {
    const std::lock_guard guard(lock_);
    more = WEIR_TRY(content_->history.scan(filter, kStepRows, place, jobs));
  }
  return jobs;
}

Result<std::uint64_t> SqliteStore::prune_history(Instant older_than, std::size_t most) {
  return remove_in_steps(most, kStepRows, [&](std::uint64_t step) {
    return content_->history.remove(older_than, step);
  });
}

Status SqliteStore::backup(const std::filesystem::path& path) {
  BackupFile file = WEIR_TRY(BackupFile::create(path));
  {
    const std::lock_guard guard(lock_);
    WEIR_TRY(file.begin(*content_->database));
  }
  for (bool done = false; !done;) {
    const std::lock_guard guard(lock_);
    done = WEIR_TRY(file.step(kStepPages));
  }
  {
    const std::lock_guard guard(lock_);
    file.end();
  }
  return file.keep();
}

}  // namespace weir::store
