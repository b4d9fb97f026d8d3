// LogReader: passes what tasks write from their nodes to those who read along over HTTP. Asks for
// one part at a time, so a slow reader holds up nobody.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/time.hpp"
#include "channel/messages.hpp"
#include "net/responder.hpp"

namespace weir::controller {

// Where a task writes.
struct StepPlace {
  std::string node;
  StepId step;
  std::uint32_t rank = 0;
};

class LogReader {
 public:
  // Sends a question to a node; false: it is not connected.
  using Ask = std::function<bool(const std::string& node, const channel::OutputWanted& wanted)>;
  explicit LogReader(Ask ask) : ask_(std::move(ask)) {}

  // Streams all that the task has written, and with `follow` what it still writes until it ends.
  void start(net::Responder::Stream stream, StepPlace place, bool follow);
  void part(Instant now, const channel::OutputPart& part);
  // Those who wait for output of the node get no more.
  void node_gone(const std::string& node);
  void tick(Instant now);
  [[nodiscard]] Instant next_wake() const;

 private:
  struct Reading {
    net::Responder::Stream stream;
    StepPlace place;
    bool follow = false;
    std::uint64_t offset = 0;
    Instant ask_at = Instant::far_future();  // while no question is out
  };

  // False: there is nobody to ask.
  bool ask(std::uint64_t number, const Reading& reading);

  Ask ask_;
  std::map<std::uint64_t, Reading> readings_;  // by request number
  std::uint64_t next_ = 1;
};

}  // namespace weir::controller
