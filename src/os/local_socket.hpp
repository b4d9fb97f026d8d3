// UNIX stream sockets that never block: listen, connect, and a connection with buffers. What the
// bytes mean is the caller's (formats/step_protocol.hpp).
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "os/descriptor.hpp"

namespace weir::os {

// A socket at `path`, which only its owner may use (mode 0600); one that is there already is
// replaced. The path may be longer than the 107 bytes that the address of a socket holds.
Result<Descriptor> listen_local(const std::filesystem::path& path);
// Errors: kIo, also when nobody listens there.
Result<Descriptor> connect_local(const std::filesystem::path& path);
// None: nobody waits any more.
Descriptor accept_local(int listener);
Result<std::pair<Descriptor, Descriptor>> connected_pair();

class LocalConnection {
 public:
  explicit LocalConnection(Descriptor fd) : fd_(std::move(fd)) {}

  [[nodiscard]] int fd() const { return fd_.get(); }
  // Appends what has come to `received`. False: the other end has closed, or the connection is
  // broken; what came before is in `received`.
  bool receive(std::vector<std::uint8_t>& received);
  // Queues bytes; flush() sends what goes without waiting. False: the connection is broken.
  void queue(ByteSpan bytes);
  bool flush();
  // Bytes that still wait: watch for writability then.
  [[nodiscard]] std::size_t queued() const { return queue_.size() - sent_; }

 private:
  Descriptor fd_;
  std::vector<std::uint8_t> queue_;
  std::size_t sent_ = 0;  // bytes at the front of queue_
};

}  // namespace weir::os
