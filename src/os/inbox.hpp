// Inbox: what other threads leave for a loop that polls descriptors.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/assert.hpp"
#include "os/descriptor.hpp"

namespace weir::os {

template <typename T>
class Inbox {
 public:
  Inbox() : event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) { WEIR_ASSERT(event_.get() >= 0); }

  // Any thread; never waits.
  void push(T item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
    if (items_.size() > 1) return;
    const std::uint64_t one = 1;
    static_cast<void>(!::write(event_.get(), &one, sizeof one));
  }

  // Readable while something is there.
  [[nodiscard]] int fd() const { return event_.get(); }

  // All that is there, in order. One thread, the loop's.
  std::vector<T> take() {
    const std::lock_guard lock(mutex_);
    std::uint64_t count = 0;
    static_cast<void>(!::read(event_.get(), &count, sizeof count));
    return std::exchange(items_, {});
  }

 private:
  Descriptor event_;
  std::mutex mutex_;
  std::vector<T> items_;
};

}  // namespace weir::os
