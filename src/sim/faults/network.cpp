#include "sim/faults/network.hpp"

#include <algorithm>
#include <utility>

namespace weir::sim::faults {
namespace {

// In 100,000.
constexpr std::uint32_t kLost = 400;
constexpr std::uint32_t kDoubled = 3000;
constexpr std::uint32_t kSlow = 1500;
constexpr std::uint32_t kVerySlow = 2000;  // datagrams only

constexpr Place kController = 0;
constexpr Place place_of(std::uint32_t node) { return node + 1; }

}  // namespace

Network::Network(Kernel& kernel, std::uint32_t nodes)
    : kernel_(kernel), cut_(nodes + 1, std::vector<bool>(nodes + 1, false)) {}

void Network::carry(Place from, Place to, ConnectionId on, std::function<void()> deliver) {
  if (cut_[from][to] || kernel_.strikes(kLost)) {
    if (on != 0) break_off(on);
    return;
  }
  const int copies = kernel_.strikes(kDoubled) ? 2 : 1;
  for (int i = 0; i < copies; ++i) {
    Duration delay = kernel_.between(ms(1), ms(10));
    if (kernel_.strikes(kSlow)) delay = kernel_.between(ms(0), ms(5000));
    if (on == 0 && kernel_.strikes(kVerySlow)) delay = kernel_.between(ms(0), ms(90'000));
    Instant at = kernel_.now() + delay;
    if (on != 0) at = std::max(at, connections_.at(on).first);
    kernel_.at(at, deliver);
  }
}

ConnectionId Network::dial(std::uint32_t node) {
  const Place place = place_of(node);
  if (!listening_ || cut_[place][kController] || cut_[kController][place]) return 0;
  connections_[++last_].node = node;
  return last_;
}

void Network::send_up(ConnectionId connection, const node::ToController& message) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || !found->second.open_at_node) return;
  if (std::holds_alternative<node::Hello>(message))
    found->second.first =
        kernel_.now() + kernel_.between(ms(1), ms(kernel_.strikes(kSlow) ? 9000 : 10));
  carry(place_of(found->second.node), kController, connection, [this, connection, message] {
    const auto to = connections_.find(connection);
    if (to == connections_.end()) return;
    if (to->second.open_at_controller) {
      receivers.to_controller(connection, message);
    } else {
      tell_end(connection, /*at_node=*/true);
    }
  });
}

void Network::send_down(ConnectionId connection, const node::ToAgent& message) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || !found->second.open_at_controller) return;
  const std::uint32_t node = found->second.node;
  carry(kController, place_of(node), connection, [this, connection, node, message] {
    const auto to = connections_.find(connection);
    if (to == connections_.end()) return;
    if (to->second.open_at_node) {
      receivers.to_agent(node, connection, message);
    } else {
      tell_end(connection, /*at_node=*/false);
    }
  });
}

void Network::send_datagram(std::uint32_t from, std::uint32_t to,
                            const node::BetweenAgents& message) {
  carry(place_of(from), place_of(to), 0, [this, to, message] { receivers.datagram(to, message); });
}

// Both sides give up in the end, each when its own kernel does.
void Network::break_off(ConnectionId connection) {
  Connection& one = connections_.at(connection);
  if (std::exchange(one.breaks, true)) return;
  kernel_.after(kernel_.between(ms(100), ms(9000)), [=, this] { end_at_node(connection); });
  kernel_.after(kernel_.between(ms(100), ms(9000)), [=, this] { end_at_controller(connection); });
}

void Network::end_at_node(ConnectionId connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || !found->second.open_at_node) return;
  found->second.open_at_node = false;
  receivers.closed_at_node(found->second.node, connection);
}

void Network::end_at_controller(ConnectionId connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || !found->second.open_at_controller) return;
  found->second.open_at_controller = false;
  receivers.closed_at_controller(connection);
}

// One side has closed: the other one hears of it, if anything gets through.
void Network::tell_end(ConnectionId connection, bool at_node) {
  const std::uint32_t node = connections_.at(connection).node;
  if (at_node) {
    carry(kController, place_of(node), 0, [=, this] { end_at_node(connection); });
  } else {
    carry(place_of(node), kController, 0, [=, this] { end_at_controller(connection); });
  }
}

void Network::close_at_node(ConnectionId connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || !std::exchange(found->second.open_at_node, false)) return;
  tell_end(connection, /*at_node=*/false);
}

void Network::close_at_controller(ConnectionId connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || !std::exchange(found->second.open_at_controller, false))
    return;
  tell_end(connection, /*at_node=*/true);
}

void Network::node_died(std::uint32_t node, bool its_kernel_tells) {
  for (auto& [id, connection] : connections_) {
    if (connection.node != node || !std::exchange(connection.open_at_node, false)) continue;
    if (its_kernel_tells) tell_end(id, /*at_node=*/false);
  }
}

void Network::controller_died(bool its_kernel_tells) {
  listening_ = false;
  for (auto& [id, connection] : connections_) {
    if (!std::exchange(connection.open_at_controller, false)) continue;
    if (its_kernel_tells) tell_end(id, /*at_node=*/true);
  }
}

void Network::heal() {
  for (auto& row : cut_) row.assign(row.size(), false);
}

}  // namespace weir::sim::faults
