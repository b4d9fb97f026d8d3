// LinkLoad: how many of a set of routes pass each direction of each cable. Made once for a graph
// and emptied between sets, it costs only what the routes touch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/route_map.hpp"

namespace weir::fabric {

class LinkLoad {
 public:
  explicit LinkLoad(const Snapshot& graph) : routes_(graph.links.size() * 2, 0) {}

  void add(const Route& route) {
    for (const Channel channel : route)
      if (routes_[channel.index()]++ == 0) touched_.push_back(channel);
  }
  void clear() {
    for (const Channel channel : touched_) routes_[channel.index()] = 0;
    touched_.clear();
  }
  [[nodiscard]] std::uint32_t on(Channel channel) const { return routes_[channel.index()]; }

  struct Busy {
    Channel channel;
    std::uint32_t routes = 0;
  };
  // The channel between switches that most routes pass, the lowest of equals; nothing where no
  // route passes one. REQUIRES: the graph it was made for.
  [[nodiscard]] std::optional<Busy> busiest(const Snapshot& graph) const;

 private:
  std::vector<std::uint32_t> routes_;  // by Channel::index
  std::vector<Channel> touched_;       // those that any route passes
};

}  // namespace weir::fabric
