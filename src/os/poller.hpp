// Poller: waits until one of many descriptors has something to say (epoll).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "os/descriptor.hpp"

namespace weir::os {

enum class Interest : std::uint8_t { kRead, kReadAndWrite };

struct Ready {
  std::uint64_t key = 0;  // as it was watched under
  bool readable = false;  // also when the other end has closed: reading then tells so
  bool writable = false;
};

class Poller {
 public:
  static Result<Poller> create();

  // Readable whenever wait() would return something: a poller can be watched by another loop.
  [[nodiscard]] int fd() const { return fd_.get(); }
  Status watch(int fd, std::uint64_t key, Interest interest = Interest::kRead);
  Status change(int fd, std::uint64_t key, Interest interest);
  // Call it before the descriptor is closed.
  void forget(int fd);

  // What is ready, waiting for the first at most so long (nothing: without end). Empty: nothing
  // came.
  std::vector<Ready> wait(std::optional<Duration> at_most);

 private:
  explicit Poller(Descriptor fd) : fd_(std::move(fd)) {}
  Status control(int operation, int fd, std::uint64_t key, Interest interest);

  Descriptor fd_;
};

// Waits for one descriptor; false: nothing came in time.
bool wait_readable(int fd, Duration at_most);

}  // namespace weir::os
