// Store: the controller's durable memory behind one port: the journal of turns, the snapshot that
// shortens it, and the history of finished jobs.
//
// Turns go in one by one, each as a whole or not at all, and are durable when commit() returns.
// Every call may come from any thread; calls are served in the order they come, and the long ones
// (snapshot, history, pruning, backup) let commits in between their steps. Frames and snapshots are
// bytes to the store; what they mean is core/journal.hpp's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/ids.hpp"

namespace weir::store {

// A job that will never run again, as the history keeps it.
struct FinishedJob {
  JobId job;
  std::uint32_t attempts = 0;
  std::string name;
  std::string user;
  std::string queue;
  std::string state;  // Slurm's word: COMPLETED, FAILED, CANCELLED, TIMEOUT, NODE_FAIL, ...
  std::string reason;
  Instant submitted;
  std::optional<Instant> started;  // none: it never ran
  Instant ended;
  std::uint32_t nodes = 0;
  std::uint32_t gpus = 0;
  int exit_code = 0;
  int signal = 0;
  std::string node_list;
  std::string record;  // JSON as the API prints it

  friend bool operator==(const FinishedJob&, const FinishedJob&) = default;
};

// What one turn leaves: its frame, and the jobs that ended in it.
struct TurnWrite {
  std::uint64_t number = 0;  // 0: the journal's header; then from 1 without gaps
  std::vector<std::uint8_t> frame;
  std::vector<FinishedJob> finished;
};

struct Frame {
  std::uint64_t number = 0;
  std::vector<std::uint8_t> bytes;

  friend bool operator==(const Frame&, const Frame&) = default;
};

struct Snapshot {
  std::uint64_t turn = 0;  // the last turn it holds
  std::vector<std::uint8_t> bytes;

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

// Stored bytes that do not check out. Nothing of them is thrown away.
struct Damage {
  std::string what;                         // a sentence for the operator
  std::optional<std::uint64_t> first_lost;  // turn; none: no turn was lost
  std::uint64_t lost = 0;                   // turns from there that could not be used
  std::filesystem::path kept_in;            // what was there before, whole
};

struct Recovered {
  std::optional<std::vector<std::uint8_t>> header;  // none: a new store
  std::optional<Snapshot> snapshot;
  std::vector<Frame> frames;  // the turns behind the snapshot, in order
  std::vector<Damage> damages;

  [[nodiscard]] std::uint64_t last_turn() const {
    if (!frames.empty()) return frames.back().number;
    return snapshot ? snapshot->turn : 0;
  }
};

// Where a page of the history ended; the next begins behind it.
struct HistoryPlace {
  Instant ended;
  JobId job;
};

// What is empty or none selects nothing out. ({} each: then a caller may name those it wants.)
struct HistoryFilter {
  std::string user{};
  std::string state{};
  std::string name{};
  std::optional<JobId> job{};
  std::optional<Instant> since{};  // ended at or after it
  std::optional<Instant> until{};  // ended before it
  std::optional<HistoryPlace> after{};
  std::size_t limit = 100;  // at most limits::kHistoryRows
};

class Store {
 public:
  Store() = default;
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // What is stored. Call it once, before anything else. Damaged bytes are set aside and named; the
  // store then ends at the last good turn and goes on from there. Errors: kIo; kCorrupt when not
  // even a beginning can be read (restore a backup).
  virtual Result<Recovered> recover() = 0;

  // One transaction, durable on return. REQUIRES: recover() was called. Errors: kBadInput when
  // `turn.number` is not the next; kDiskFull, after which the same turn may be tried again; any
  // other error is the end of writing, and every later commit fails with it.
  virtual Status commit(const TurnWrite& turn) = 0;

  // Housekeeping that commit() leaves for later; call it when nothing waits to be committed.
  virtual Status tidy() = 0;

  // Stores the state as of a committed turn. Then what stands before the snapshot before this one
  // is removed, so that one damaged snapshot costs nothing. Errors leave the older one in force.
  virtual Status save_snapshot(std::uint64_t turn, ByteSpan bytes) = 0;

  // Newest end first; equal ends by job, higher first. Errors: kLimit.
  virtual Result<std::vector<FinishedJob>> history(const HistoryFilter& filter) = 0;
  // Removes jobs that ended before `older_than`, the oldest first, at most `most`. Says how many.
  virtual Result<std::uint64_t> prune_history(Instant older_than, std::size_t most) = 0;

  // Writes all that is committed to a new file, while commits go on. Errors: the file exists; the
  // disk; this store keeps nothing on disk (kBadInput).
  virtual Status backup(const std::filesystem::path& path) = 0;
};

}  // namespace weir::store
