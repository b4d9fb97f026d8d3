// Requests: what the API is asked for, and by whom. Turns a request into its answer, or into the
// event that must be durable before it is answered. docs/reference/api.md describes it for users.
//
// Who asks is who the kernel says is at the other end of the socket. Root, and the user the
// controller runs as, may do everything; others see everything and change what is theirs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"
#include "net/message.hpp"
#include "net/responder.hpp"
#include "net/router.hpp"
#include "sched/planner.hpp"
#include "state/state.hpp"
#include "store/store.hpp"

namespace weir::controller {

// What requests look at.
struct RequestView {
  const state::State& state;
  const sched::Planner& planner;
  store::Store& store;
  Instant now;
  std::uint32_t service_uid = 0;
  // Why no new work is taken; empty: it is.
  std::string closed;
  std::string joining;  // host:port where nodes join
  std::function<Result<std::string>(const std::string& node, Duration life)> make_token;
};

// To be answered once the turn that takes the event is durable.
struct Change {
  Event event;
  JobId job = JobId::none();  // that is changed; none: a new one, or a node
};
struct LogsWanted {
  JobId job;
  std::uint32_t rank = 0;
  bool follow = false;
};
using Outcome = std::variant<net::Response, Change, LogsWanted>;

// Who waits for a turn: `event` is the number of his event in it.
struct Reply {
  net::Responder responder;
  std::size_t event = 0;
  bool submission = false;
  JobId job;
};

class Requests {
 public:
  Requests();
  [[nodiscard]] Outcome handle(const net::Request& request, const RequestView& view) const;

 private:
  net::Router router_;
};

// Where the tasks of a job ran that has ended, for their output.
struct EndedPlaces {
  std::uint32_t attempt = 0;
  std::uint32_t tasks_per_node = 1;
  std::vector<std::string> nodes;
};

}  // namespace weir::controller
