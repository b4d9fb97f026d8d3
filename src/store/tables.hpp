// JournalTable, SnapshotTable, HistoryTable: the rows of the store as values, with their seals
// checked. None of them opens a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "store/database.hpp"
#include "store/store.hpp"

namespace weir::store {

class JournalTable {
 public:
  static Result<JournalTable> open(Database& database);

  Status insert(std::uint64_t number, ByteSpan bytes);
  // Errors: kCorrupt, when the frame is there but damaged.
  Result<std::optional<Frame>> read(std::uint64_t number);
  // The first frame behind `number`. Errors: kCorrupt.
  Result<std::optional<Frame>> next(std::uint64_t number);
  // The highest number; none without frames.
  Result<std::optional<std::uint64_t>> last();
  // Removes turns from the lowest to `through`, `most` of them. Says how many.
  Result<std::uint64_t> remove(std::uint64_t through, std::size_t most);

 private:
  explicit JournalTable(Database& database) : database_(&database) {}
  Result<std::optional<Frame>> one(Statement& query);

  Database* database_;
  std::vector<Statement> statements_;
};

class SnapshotTable {
 public:
  static constexpr std::size_t kPartBytes = std::size_t{1} << 20;

  static Result<SnapshotTable> open(Database& database);

  // The parts first, then the seal that makes them a snapshot.
  Status insert_part(std::uint64_t turn, std::size_t part, ByteSpan bytes);
  Status seal(std::uint64_t turn, ByteSpan bytes);
  // Turns of the sealed ones, newest first.
  Result<std::vector<std::uint64_t>> turns();
  // Errors: kCorrupt.
  Result<Snapshot> read(std::uint64_t turn);
  // Removes what is older than `oldest`: the seals at once, then the parts, and the parts that no
  // seal belongs to, `most` of them. Says how many parts.
  Status unseal(std::uint64_t oldest);
  Result<std::uint64_t> remove_unsealed(std::size_t most);

 private:
  explicit SnapshotTable(Database& database) : database_(&database) {}

  Database* database_;
  std::vector<Statement> statements_;
};

class HistoryTable {
 public:
  static Result<HistoryTable> open(Database& database);

  // A job that is there already is replaced: it ran again.
  Status insert(std::uint64_t turn, const FinishedJob& job);
  Result<std::optional<FinishedJob>> find(JobId job);
  // Looks at `most` rows behind `place` (of one user, if named) and adds those that the filter
  // takes to `jobs`, up to its limit. Moves `place`; false when there is nothing behind it.
  Result<bool> scan(const HistoryFilter& filter, std::size_t most, HistoryPlace& place,
                    std::vector<FinishedJob>& jobs);
  // Says how many.
  Result<std::uint64_t> remove(Instant older_than, std::size_t most);
  // Copies jobs that ended in turns up to `through` to another store.
  Status copy_to(HistoryTable& other, std::uint64_t through);

 private:
  explicit HistoryTable(Database& database) : database_(&database) {}

  Database* database_;
  std::vector<Statement> statements_;
};

}  // namespace weir::store
