#include "store/recovery.hpp"

#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "os/errors.hpp"
#include "store/log_check.hpp"
#include "store/open.hpp"
#include "store/schema.hpp"
#include "store/state_directory.hpp"
#include "store/tables.hpp"

namespace weir::store {
namespace {

constexpr std::string_view kRestore = "restore a backup (weir restore)";

// The newest snapshot whose bytes check out; each worse one is named.
Status read_snapshot(SnapshotTable& table, Recovered& recovered) {
  const auto turns = WEIR_TRY(table.turns());
  for (const std::uint64_t turn : turns) {
    Result<Snapshot> snapshot = table.read(turn);
    if (snapshot) {
      recovered.snapshot = *std::move(snapshot);
      return {};
    }
    if (snapshot.error().code != Errc::kCorrupt) return std::unexpected(snapshot.error());
    recovered.damages.push_back({fmt::format("snapshot of turn {}: {}; the turns behind an older "
                                             "one are replayed instead",
                                             turn, snapshot.error().message),
                                 std::nullopt,
                                 0,
                                 {}});
  }
  return {};
}

// Without a snapshot the journal must begin with turn 1; a damaged one was there for a reason.
bool lacks_beginning(JournalTable& table, const Recovered& recovered) {
  const bool snapshot_was_lost = !recovered.damages.empty();
  const auto first = table.next(0);
  if (!first || !*first) return snapshot_was_lost;
  return (*first)->number != 1;
}

// The frames up to the first that is missing or damaged.
Status read_frames(JournalTable& table, Recovered& recovered) {
  std::string what;
  for (;;) {
    const std::uint64_t last = recovered.last_turn();
    Result<std::optional<Frame>> frame = table.next(last);
    if (frame && !*frame) return {};
    if (frame && (*frame)->number == last + 1) {
      recovered.frames.push_back(**std::move(frame));
      continue;
    }
    if (!frame && frame.error().code != Errc::kCorrupt) return std::unexpected(frame.error());
    what = frame ? fmt::format("turn {} is missing, turn {} is there", last + 1, (*frame)->number)
                 : frame.error().message;
    break;
  }
  Damage damage{{}, recovered.last_turn() + 1, 1, {}};
  // How many are lost, as far as the damaged file still tells.
  const auto last = table.last();
  if (last && *last && **last > *damage.first_lost) damage.lost = **last - *damage.first_lost + 1;
  damage.what = fmt::format("journal: {}; recovered to turn {}, {} turn(s) could not be used", what,
                            recovered.last_turn(), damage.lost);
  recovered.damages.push_back(std::move(damage));
  return {};
}

// "damaged-7.db", or "damaged-7-2.db" where that is taken.
std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& what) {
  std::filesystem::path name = folder / fmt::format("damaged-{}.db", what);
  for (unsigned i = 2; std::filesystem::exists(name); ++i)
    name = folder / fmt::format("damaged-{}-{}.db", what, i);
  return name;
}

Status write_good(Database& database, const Recovered& good) {
  JournalTable journal = WEIR_TRY(JournalTable::open(database));
  SnapshotTable snapshots = WEIR_TRY(SnapshotTable::open(database));
  if (good.header) WEIR_TRY(journal.insert(0, *good.header));
  for (const Frame& frame : good.frames) WEIR_TRY(journal.insert(frame.number, frame.bytes));
  if (!good.snapshot) return {};
  const auto [turn, bytes] = *good.snapshot;
  for (std::size_t at = 0, part = 0; at < bytes.size(); at += SnapshotTable::kPartBytes, ++part)
    WEIR_TRY(snapshots.insert_part(
        turn, part,
        ByteSpan(bytes).subspan(at, std::min(SnapshotTable::kPartBytes, bytes.size() - at))));
  return snapshots.seal(turn, bytes);
}

// The jobs that ended in the good turns; where the damage reached the history, those before it.
Status copy_history(Database& from, Database& to, Recovered& good) {
  HistoryTable jobs = WEIR_TRY(HistoryTable::open(from));
  HistoryTable copies = WEIR_TRY(HistoryTable::open(to));
  Status copied = jobs.copy_to(copies, good.last_turn());
  if (copied || copied.error().code != Errc::kCorrupt) return copied;
  good.damages.push_back({fmt::format("history of finished jobs: {}; the jobs behind the damage "
                                      "are missing from it",
                                      copied.error().message),
                          std::nullopt,
                          0,
                          {}});
  return {};
}

Status fill(Database& old, Database& fresh, Recovered& good) {
  WEIR_TRY(fresh.execute("BEGIN IMMEDIATE"));
  WEIR_TRY(write_good(fresh, good));
  WEIR_TRY(copy_history(old, fresh, good));
  return fresh.execute("COMMIT");
}

Status swap_files(const std::filesystem::path& old, const std::filesystem::path& fresh,
                  const std::filesystem::path& kept) {
  WEIR_TRY(sync_file(fresh));
  if (::link(old.c_str(), kept.c_str()) != 0)
    return os::system_error(kept, "the damaged store cannot be kept", errno);
  if (::rename(fresh.c_str(), old.c_str()) != 0)
    return os::system_error(old, "cannot be replaced", errno);
  return sync_directory(old.parent_path());
}

}  // namespace

Result<Recovered> read_back(Database& database) {
  JournalTable journal = WEIR_TRY(JournalTable::open(database));
  SnapshotTable snapshots = WEIR_TRY(SnapshotTable::open(database));
  Recovered recovered;
  auto header = journal.read(0);
  if (!header && header.error().code == Errc::kCorrupt)
    return corrupt(fmt::format("{}: the journal's header is damaged: {}: {}",
                               database.path().string(), header.error().message, kRestore));
  if (!header) return std::unexpected(header.error());
  if (*header) recovered.header = std::move((*header)->bytes);
  WEIR_TRY(read_snapshot(snapshots, recovered));
  if (!recovered.snapshot && lacks_beginning(journal, recovered))
    return corrupt(fmt::format("{}: no snapshot can be read, and the turns before it are gone: {}",
                               database.path().string(), kRestore));
  WEIR_TRY(read_frames(journal, recovered));
  if (!recovered.header && recovered.last_turn() > 0)
    return corrupt(
        fmt::format("{}: the journal has no header: {}", database.path().string(), kRestore));
  return recovered;
}

Status rebuild(Database old, Recovered& good, const std::string& vfs) {
  const std::filesystem::path path = old.path();
  const std::filesystem::path fresh_path = path.string() + ".new";
  WEIR_TRY(remove_database(fresh_path));
  Database fresh = WEIR_TRY(open_database(fresh_path, {vfs, true}));
  WEIR_TRY(fill(old, fresh, good));
  WEIR_TRY(fresh.close());
  WEIR_TRY(old.checkpoint());
  WEIR_TRY(old.close());
  const std::filesystem::path kept =
      free_name(path.parent_path(), std::to_string(good.last_turn() + 1));
  WEIR_TRY(swap_files(path, fresh_path, kept));
  for (Damage& damage : good.damages) damage.kept_in = kept;
  return {};
}

Result<std::optional<Damage>> keep_damaged_log(const std::filesystem::path& database) {
  const auto damage = WEIR_TRY(check_log_of(database));
  if (!damage) return std::nullopt;
  const std::filesystem::path kept = free_name(database.parent_path(), "log");
  for (const char* const suffix : {"", "-wal"}) {
    const std::filesystem::path copy = kept.string() + suffix;
    std::error_code failure;
    std::filesystem::copy_file(database.string() + suffix, copy, failure);
    if (failure) return os::system_error(copy, "the damaged log cannot be kept", failure.value());
    WEIR_TRY(sync_file(copy));
  }
  WEIR_TRY(sync_directory(database.parent_path()));
  const std::string where =
      damage->frame == 0 ? "in its head" : fmt::format("at its frame {}", damage->frame);
  return Damage{fmt::format("write-ahead log: damaged {}; {} transactions from there on could not "
                            "be used",
                            where, damage->transactions),
                std::nullopt, damage->transactions, kept};
}

}  // namespace weir::store
