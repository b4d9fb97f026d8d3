// TableCheck: do the forwarding tables of a plane join every pair of end ports, and can packets
// block each other in a circle? A packet holds the buffer behind one cable while it waits for that
// behind the next; if such waits close a circle, the fabric can stop for good (a credit loop).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/route_map.hpp"

namespace weir::fabric {

struct TableCheck {
  std::uint64_t pairs = 0;  // of different end ports, in both directions
  std::uint64_t cut_pairs = 0;
  std::optional<std::pair<EndPortId, EndPortId>> first_cut;  // from, to; RouteMap says why
  // Cables in the order of a circle of waits, each sender the receiver of the one before; empty
  // where there is none. On one virtual lane.
  Route credit_loop;
};

TableCheck check_tables(const Snapshot& graph, const RouteMap& map, const Subnet& subnet);

}  // namespace weir::fabric
