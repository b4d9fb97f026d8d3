// Watchers: the agents that are connected to this stepd, mostly one. They are told the report of
// the step; what they ask comes out as requests.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/step_protocol.hpp"
#include "os/local_socket.hpp"
#include "os/poller.hpp"

namespace weir::stepd {

class Watchers {
 public:
  // Connections are watched in the poller under keys from `first_key` on, the listener under
  // `first_key` itself. REQUIRES: the poller outlives this.
  Watchers(os::Poller& poller, std::uint64_t first_key, ProcessName self)
      : poller_(poller), first_key_(first_key), self_(std::move(self)) {}

  Status listen_at(const std::string& path);
  void add(os::Descriptor connection);

  // Something happened under a key. What was asked for is returned; Hello and Watch are answered.
  std::vector<Request> on_ready(const os::Ready& ready, const StepReport& report);
  void tell(const StepReport& report);
  // Waits until all is sent, but not for an agent that does not read.
  void finish();

 private:
  struct Watcher {
    os::LocalConnection connection;
    FrameReader frames{};
    bool watches = false;
  };

  // False: the connection is of no more use.
  bool receive(Watcher& watcher, std::vector<Request>& requests);
  void answer(Watcher& watcher, const Request& request, const StepReport& report) const;
  bool flush(std::uint64_t key, Watcher& watcher);
  void drop(std::uint64_t key);

  os::Poller& poller_;
  std::uint64_t first_key_;
  ProcessName self_;
  os::Descriptor listener_;
  std::uint64_t next_key_ = 0;                 // behind first_key_
  std::map<std::uint64_t, Watcher> watchers_;  // by key
};

}  // namespace weir::stepd
