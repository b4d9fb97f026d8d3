// Outbox: messages that wait to be sent in one session, bounded by their bytes. Not thread safe.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>

namespace weir::channel {

template <typename Message>
class Outbox {
 public:
  explicit Outbox(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // False when it is full; the message is dropped then. One that finds it empty is always taken.
  bool push(std::unique_ptr<Message> message, std::size_t bytes) {
    if (!waiting_.empty() && (bytes > most_bytes_ || bytes_ > most_bytes_ - bytes)) return false;
    bytes_ += bytes + kOverhead;
    waiting_.push_back({std::move(message), bytes + kOverhead});
    return true;
  }

  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  // REQUIRES: !empty(). Stays where it is until pop().
  [[nodiscard]] const Message& front() const { return *waiting_.front().message; }
  void pop() {
    bytes_ -= waiting_.front().bytes;
    waiting_.pop_front();
  }

 private:
  // What a message takes in memory beside its bytes, so that short ones are bounded, too.
  static constexpr std::size_t kOverhead = 128;

  struct Item {
    std::unique_ptr<Message> message;
    std::size_t bytes;
  };

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::deque<Item> waiting_;
};

}  // namespace weir::channel
