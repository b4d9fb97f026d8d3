// TicketLock: a mutex that serves in the order of arrival, so that a long run of small steps
// (a snapshot, a backup) lets every commit in between. A plain mutex would starve them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace weir::store {

class TicketLock {
 public:
  void lock() {
    std::unique_lock guard(mutex_);
    const std::uint64_t ticket = next_++;
    turn_.wait(guard, [&] { return serving_ == ticket; });
  }
  void unlock() {
    {
      const std::lock_guard guard(mutex_);
      ++serving_;
    }
    turn_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable turn_;
  std::uint64_t next_ = 0;
  std::uint64_t serving_ = 0;
};

}  // namespace weir::store
