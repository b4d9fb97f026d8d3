// SqliteStore: the store of one controller, in a state directory of its own: SQLite with a
// write-ahead log, one transaction and one sync a turn.
//
// The log is written in place once it has grown to some megabytes; its pages go to the database in
// tidy(), or after a commit when it has become too long. Nothing else opens the file while this
// lives: to look at it with other tools, take a backup.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "store/database.hpp"
#include "store/open.hpp"
#include "store/state_directory.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"
#include "store/ticket_lock.hpp"

namespace weir::store {

class SqliteStore final : public Store {
 public:
  // Errors: those of StateDirectory::open and migrate(); kIo; kCorrupt: restore a backup.
  static Result<std::unique_ptr<SqliteStore>> open(const std::filesystem::path& directory,
                                                   OpenOptions options = {});

  Result<Recovered> recover() override;
  Status commit(const TurnWrite& turn) override;
  Status tidy() override;
  Status save_snapshot(std::uint64_t turn, ByteSpan bytes) override;
  Result<std::vector<FinishedJob>> history(const HistoryFilter& filter) override;
  Result<std::uint64_t> prune_history(Instant older_than, std::size_t most) override;
  Status backup(const std::filesystem::path& path) override;

 private:
  // The open database with its tables; made anew when a damaged one was set aside.
  struct Content {
    std::unique_ptr<Database> database;
    JournalTable journal;
    SnapshotTable snapshots;
    HistoryTable history;
  };

  SqliteStore(StateDirectory directory, OpenOptions options)
      : directory_(std::move(directory)), options_(std::move(options)) {}
  Status open_content();
  Result<Recovered> read_and_repair();

  // Runs `work` in a transaction. REQUIRES: lock_ is held.
  template <typename Work>
  Status transact_locked(Work work);
  // The same, in turn with the other callers.
  template <typename Work>
  Status transact(Work work);
  // Calls `removal(most)` in transactions of its own until it has removed `most` or all.
  template <typename Removal>
  Result<std::uint64_t> remove_in_steps(std::uint64_t most, std::uint64_t step, Removal removal);
  // Shortens the log if it has more pages. REQUIRES: lock_ is held.
  Status checkpoint(int pages);

  Status insert(const TurnWrite& turn);
  Result<std::optional<std::uint64_t>> newest_snapshot(std::uint64_t before);
  Status write_snapshot(std::uint64_t turn, ByteSpan bytes);
  Status remove_leftover_parts();
  Status remove_before(std::uint64_t turn);

  StateDirectory directory_;
  OpenOptions options_;
  std::mutex snapshot_mutex_;  // one snapshot at a time; taken before lock_
  TicketLock lock_;            // guards what follows
  std::unique_ptr<Content> content_;
  std::uint64_t next_ = 0;            // the number of the next turn
  std::optional<Damage> log_damage_;  // found when it was opened; for recover()
  std::optional<Error> failed_;       // why nothing is written any more
};

}  // namespace weir::store
