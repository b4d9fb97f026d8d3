#include "store/journal_thread.hpp"

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "os/descriptor.hpp"
#include "os/errors.hpp"

namespace weir::store {
namespace {

struct Waiting {
  TurnWrite turn;
  OnDurable on_durable;
};

struct Done {
  OnDurable on_durable;
  Status status;
};

}  // namespace

struct JournalThread::Shared {
  Shared(Store& its_store, JournalQueueLimits its_limits, os::Descriptor event)
      : store(its_store), limits(its_limits), ready(std::move(event)) {}

  void run();
  // REQUIRES: `guard` is held; it is free while the store works.
  void write_first(std::unique_lock<std::mutex>& guard);
  void give_up();
  void signal() const;
  // REQUIRES: the mutex is held.
  [[nodiscard]] bool full() const {
    return queue.size() >= limits.turns || (queued_bytes >= limits.bytes && !queue.empty());
  }

  Store& store;
  const JournalQueueLimits limits;
  const os::Descriptor ready;
  std::mutex mutex;
  std::condition_variable changed;
  // Guarded by the mutex. The first of the queue is being written, or could not be.
  std::deque<Waiting> queue;
  std::size_t queued_bytes = 0;
  std::vector<Done> done;
  std::optional<Error> error;
  bool stopping = false;
};

void JournalThread::Shared::run() {
  std::unique_lock guard(mutex);
  for (bool tidy = false;;) {
    if (queue.empty() && tidy && !error) {
      tidy = false;
      guard.unlock();
      Status tidied = store.tidy();
      guard.lock();
      if (!tidied) {
        error = tidied.error();
        give_up();
      }
      continue;
    }
    changed.wait(guard, [&] { return stopping || (!queue.empty() && !error); });
    if (queue.empty() || error) return;  // stopping
    write_first(guard);
    tidy = true;
  }
}

void JournalThread::Shared::write_first(std::unique_lock<std::mutex>& guard) {
  // push() only adds behind it, and a deque leaves its elements where they are.
  const TurnWrite& turn = queue.front().turn;
  guard.unlock();
  Status committed = store.commit(turn);
  guard.lock();
  if (committed) {
    queued_bytes -= turn.frame.size();
    done.push_back({std::move(queue.front().on_durable), {}});
    queue.pop_front();
  } else {
    error = committed.error();
    if (error->code != Errc::kDiskFull) give_up();
  }
  signal();
}

void JournalThread::Shared::give_up() {
  for (Waiting& waiting : queue)
    done.push_back({std::move(waiting.on_durable), std::unexpected(*error)});
  queue.clear();
  queued_bytes = 0;
  signal();
}

void JournalThread::Shared::signal() const {
  const std::uint64_t one = 1;
  // Fails only where the counter is at its end, and then the reader is awake anyway.
  [[maybe_unused]] const ssize_t written = ::write(ready.get(), &one, sizeof one);
}

JournalThread::JournalThread(std::shared_ptr<Shared> shared)
    : shared_(std::move(shared)), thread_([state = shared_] { state->run(); }) {}

Result<std::unique_ptr<JournalThread>> JournalThread::start(Store& store,
                                                            JournalQueueLimits limits) {
  os::Descriptor ready(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!ready.is_open()) return os::system_error("eventfd", "cannot be created", errno);
  return std::unique_ptr<JournalThread>(
      new JournalThread(std::make_shared<Shared>(store, limits, std::move(ready))));
}

JournalThread::~JournalThread() {
  {
    const std::lock_guard guard(shared_->mutex);
    shared_->stopping = true;
  }
  shared_->changed.notify_one();
  thread_.join();
}

Status JournalThread::push(TurnWrite turn, OnDurable on_durable) {
  {
    const std::lock_guard guard(shared_->mutex);
    if (shared_->error) return std::unexpected(*shared_->error);
    if (shared_->full())
      return over_limit(fmt::format(
          "{} turns with {} bytes wait for the disk: it is slower than the work that comes in",
          with_thousands(shared_->queue.size()), with_thousands(shared_->queued_bytes)));
    shared_->queued_bytes += turn.frame.size();
    shared_->queue.push_back({std::move(turn), std::move(on_durable)});
  }
  shared_->changed.notify_one();
  return {};
}

bool JournalThread::has_room() const {
  const std::lock_guard guard(shared_->mutex);
  return !shared_->full() && !shared_->error;
}

int JournalThread::ready_fd() const { return shared_->ready.get(); }

std::size_t JournalThread::deliver() {
  std::vector<Done> done;
  {
    const std::lock_guard guard(shared_->mutex);
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t read = ::read(shared_->ready.get(), &count, sizeof count);
    done.swap(shared_->done);
  }
  for (const Done& turn : done)
    if (turn.on_durable) turn.on_durable(turn.status);
  return done.size();
}

std::optional<Error> JournalThread::error() const {
  const std::lock_guard guard(shared_->mutex);
  return shared_->error;
}

void JournalThread::retry() {
  {
    const std::lock_guard guard(shared_->mutex);
    WEIR_ASSERT(shared_->error && shared_->error->code == Errc::kDiskFull);
    shared_->error.reset();
  }
  shared_->changed.notify_one();
}

}  // namespace weir::store
