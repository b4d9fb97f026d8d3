// JournalThread: the writer beside the core thread. Turn n + 1 is computed while turn n reaches the
// disk; what waits is committed in order, one transaction a turn.
//
// push() and deliver() belong to one thread, the core's: it polls ready_fd() beside its other
// descriptors and calls deliver(), which runs the callbacks of durable turns there, no lock held.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "store/store.hpp"

namespace weir::store {

struct JournalQueueLimits {
  std::size_t turns = limits::kJournalQueueTurns;
  std::size_t bytes = limits::kJournalQueueBytes;
};

// Gets success once the turn is durable, or why it never will be.
using OnDurable = std::function<void(const Status& status)>;

class JournalThread {
 public:
  // REQUIRES: the store was recovered and outlives this. Errors: kIo, no descriptor is left.
  static Result<std::unique_ptr<JournalThread>> start(Store& store, JournalQueueLimits limits = {});

  // Commits what waits, unless writing has failed, and ends the thread. Callbacks that were not
  // delivered are never run.
  ~JournalThread();
  JournalThread(const JournalThread&) = delete;
  JournalThread& operator=(const JournalThread&) = delete;

  // Takes a turn in. Errors: kLimit, the queue is full: wait for ready_fd() and try again; the
  // error that stopped writing, until retry(): then nothing of the turn was taken.
  Status push(TurnWrite turn, OnDurable on_durable);
  // Whether push() would take a turn.
  [[nodiscard]] bool has_room() const;

  // Readable when deliver() has something to do, error() among it.
  [[nodiscard]] int ready_fd() const;
  // Runs the callbacks of the turns that are durable by now, in their order; says how many.
  std::size_t deliver();

  // Why writing stopped. After kDiskFull the turns still wait and retry() may write them. After
  // every other error their callbacks get that error.
  [[nodiscard]] std::optional<Error> error() const;
  // Goes on with the turn that did not fit. REQUIRES: error() is kDiskFull.
  void retry();

 private:
  struct Shared;
  explicit JournalThread(std::shared_ptr<Shared> shared);

  std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace weir::store
