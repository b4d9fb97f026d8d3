// LinkLoad: how many of a set of routes pass each direction of each cable.
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
    for (const Channel channel : route) ++routes_[channel.index()];
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
};

}  // namespace weir::fabric
