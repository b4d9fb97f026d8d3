// Network: carries what agents, and agents and controller, say to each other, and loses, doubles,
// delays and reorders it while there are faults.
//
// A session is one connection. What was said in it reaches nobody after its end, and one that has
// lost something breaks, though each side may notice on its own and late; between, more may arrive
// than TCP would let. Datagrams between agents have no session and may come very late.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "engine/agent_desk.hpp"
#include "node/messages.hpp"
#include "sim/faults/kernel.hpp"

namespace weir::sim::faults {

using engine::ConnectionId;

// Who is joined by the network: 0 is the controller, i + 1 node i.
using Place = std::uint32_t;

// What comes out of the network. Set once, before anything is sent.
struct Receivers {
  std::function<void(ConnectionId, const node::ToController&)> to_controller;
  std::function<void(ConnectionId)> closed_at_controller;
  std::function<void(std::uint32_t node, ConnectionId, const node::ToAgent&)> to_agent;
  std::function<void(std::uint32_t node, ConnectionId)> closed_at_node;
  std::function<void(std::uint32_t node, const node::BetweenAgents&)> datagram;
};

class Network {
 public:
  Network(Kernel& kernel, std::uint32_t nodes);

  Receivers receivers;

  // A session of the node to the controller; 0: nobody answers.
  ConnectionId dial(std::uint32_t node);
  void send_up(ConnectionId connection, const node::ToController& message);
  void send_down(ConnectionId connection, const node::ToAgent& message);
  void send_datagram(std::uint32_t from, std::uint32_t to, const node::BetweenAgents& message);
  void close_at_node(ConnectionId connection);
  void close_at_controller(ConnectionId connection);
  // A process has died. Its kernel tells the other ends, unless the machine died too.
  void node_died(std::uint32_t node, bool its_kernel_tells);
  void controller_died(bool its_kernel_tells);
  void controller_listens() { listening_ = true; }

  void cut(Place from, Place to, bool is_cut) { cut_[from][to] = is_cut; }
  void heal();

 private:
  struct Connection {
    std::uint32_t node = 0;
    bool open_at_node = true;
    bool open_at_controller = true;
    bool breaks = false;
    Instant first;  // when Hello arrives; nothing before it does
  };

  // REQUIRES: `on` is 0 or a connection. Delivers never, once or twice.
  void carry(Place from, Place to, ConnectionId on, std::function<void()> deliver);
  void break_off(ConnectionId connection);
  void end_at_node(ConnectionId connection);
  void end_at_controller(ConnectionId connection);
  void tell_end(ConnectionId connection, bool at_node);

  Kernel& kernel_;
  std::vector<std::vector<bool>> cut_;
  std::map<ConnectionId, Connection> connections_;
  ConnectionId last_ = 0;
  bool listening_ = false;
};

}  // namespace weir::sim::faults
