// AgentDesk: where the controller meets its agents. Pure: what agents say becomes events of the
// core, what the core commands becomes messages to agents; the controller carries both, and the
// simulator does the same.
//
// What it gives to be sent leaves only when the turn that it follows from is durable(). A heartbeat
// is answered only in a session of which the core knows durably, since an answer moves the deadline
// of the node's tasks: the core counts it from the end of that session.
//
// Use: heard(), closed() and tick() give events; put them into the next turn in the order in which
// they came. After each turn, also one that records nothing: after(). When it is on disk:
// durable().
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/engine.hpp"
#include "node/messages.hpp"

namespace weir::engine {

// The rim's name for one connection of an agent; never used again.
using ConnectionId = std::uint64_t;

// What the desk asks of those around it.
struct DeskSite {
  Duration heartbeat{0};
  // A session in which nothing came for so long is over.
  Duration silence{0};
  // Of a step that the state holds, what its stepd needs to know.
  std::function<StepSpec(const state::State&, NodeId, StepId)> spec;
  // Where other agents reach this one.
  std::function<std::string(const std::string& node)> address;
  // The domain of a node that joins.
  std::function<DomainId(const node::Hello&)> cell;
};

struct Sent {
  ConnectionId to = 0;
  node::ToAgent message;
};

struct DeskWork {
  std::vector<Event> events;         // for the next turn, in this order
  std::vector<Sent> messages;        // to be sent at once
  std::vector<ConnectionId> closed;  // to be closed; the desk has forgotten them
};

class AgentDesk {
 public:
  explicit AgentDesk(DeskSite site) : site_(std::move(site)) {}

  // An agent says something over a connection; the first thing must be Hello. `state` is that of
  // the last turn.
  DeskWork heard(Instant now, ConnectionId from, node::ToController message,
                 const state::State& state);
  // The connection is gone.
  DeskWork closed(ConnectionId connection, const state::State& state);
  // Closes silent sessions.
  DeskWork tick(Instant now, const state::State& state);
  // A turn is over. REQUIRES: all events given before were in it or in earlier ones.
  DeskWork after(const core::TurnResult& turn, const state::State& state);
  // Everything up to this turn is on disk. Gives what may leave now.
  std::vector<Sent> durable(std::uint64_t turn);

  // When tick() would close something, if nothing is heard.
  [[nodiscard]] Instant next_wake() const;
  [[nodiscard]] std::size_t sessions() const { return sessions_.size(); }

 private:
  enum class Phase : std::uint8_t {
    kJoining,  // its node is new to the core: NodeJoined is under way
    kAsking,   // AgentConnected is under way
    kTaken,    // the core has taken it
    kOpen,     // durably: it has been welcomed
  };
  struct Session {
    node::Hello hello;
    NodeId node;
    Phase phase = Phase::kJoining;
    bool gone = false;  // the connection is; the core has yet to hear of it
    Instant heard;
    std::uint64_t known_welcome = 0;
    std::vector<node::ToController> early;  // came before the session was taken
  };

  void on(DeskWork& work, ConnectionId id, const node::ToController& message,
          const state::State& state);
  void greet(DeskWork& work, ConnectionId id, const state::State& state);
  void ask(DeskWork& work, Session& session) const;
  // The connection is gone: tells the core if it has taken the session, and may be told now.
  void lose(DeskWork& work, ConnectionId id, const state::State& state);
  void erase(ConnectionId id);
  void settle(DeskWork& work, const state::State& state);
  void settle_asking(DeskWork& work, ConnectionId id, const state::State& state);
  [[nodiscard]] bool is_taken(const Session& session, const state::State& state) const;
  [[nodiscard]] bool other_is_asking(ConnectionId id, NodeId node) const;
  [[nodiscard]] std::optional<node::ToAgent> message_for(const Command& command,
                                                         const Session& session,
                                                         const state::State& state) const;
  [[nodiscard]] node::Welcome welcome(const Session& session, const state::State& state) const;
  NodeId find_node(const std::string& name, const state::State& state);

  DeskSite site_;
  std::map<ConnectionId, Session> sessions_;
  std::set<ConnectionId> unsettled_;  // joining, asking, or gone and the core has yet to hear of it
  std::map<NodeId, ConnectionId> current_;  // taken
  std::map<std::string, NodeId> names_;
  std::uint32_t nodes_known_ = 0;  // of the state's, by number
  struct Held {
    std::uint64_t turn = 0;
    Sent sent;
  };
  std::vector<Held> outbox_;  // by turn
};

// The node on which a command is to be carried out.
NodeId node_of(const Command& command);

}  // namespace weir::engine
