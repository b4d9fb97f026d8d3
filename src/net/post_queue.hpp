// PostQueue: work for one thread from any others, run in the order of the calls.
//
// asio::post does not promise that order over several threads, and a stream's first piece must not
// overtake its head.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace weir::net {

class PostQueue {
 public:
  using Work = std::function<void()>;

  // True: whoever runs the queue must be told.
  bool add(Work work) {
    const std::lock_guard guard(mutex_);
    if (stopped_) return false;
    queue_.push_back(std::move(work));
    return queue_.size() == 1;
  }
  void run() {
    std::vector<Work> all;
    {
      const std::lock_guard guard(mutex_);
      all.swap(queue_);
    }
    for (const Work& work : all) work();
  }
  // Drops what comes from now on.
  void stop() {
    const std::lock_guard guard(mutex_);
    stopped_ = true;
  }

 private:
  std::mutex mutex_;
  std::vector<Work> queue_;
  bool stopped_ = false;
};

}  // namespace weir::net
