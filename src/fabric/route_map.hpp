// RouteMap: which cables a packet takes from one port of a plane to another, by the forwarding
// tables that the plane's switches have.
#pragma once

#include <compare>
#include <cstddef>
#include <vector>

#include "base/result.hpp"
#include "fabric/forwarding.hpp"
#include "fabric/subnet.hpp"

namespace weir::fabric {

// One direction of a cable.
struct Channel {
  LinkId link;
  bool forward = true;  // from the link's end a to its end b

  [[nodiscard]] std::size_t index() const { return link.index() * 2 + (forward ? 0 : 1); }
  friend auto operator<=>(const Channel&, const Channel&) = default;
};

// The ends of a channel.
const LinkEnd& sender(const Snapshot& graph, Channel channel);
const LinkEnd& receiver(const Snapshot& graph, Channel channel);

// From the source's cable to the destination's.
using Route = std::vector<Channel>;

class RouteMap {
 public:
  // REQUIRES: `graph`, of which `subnet` is, and the tables outlive the map. Tables of other planes
  // may stand among them.
  RouteMap(const Snapshot& graph, const Subnet& subnet, const ForwardingTables& tables);

  // Errors, each naming the switch: it has no table or no route to that LID; it sends to a port
  // without a cable or to somebody else; it sends in a circle. Source and destination in one are an
  // empty route.
  [[nodiscard]] Result<Route> route(EndPortId from, EndPortId to) const;

  // What a switch port leads to: another switch or an end port.
  struct Exit {
    Channel channel{LinkId::none(), true};
    SwitchId next = SwitchId::none();
    EndPortId end_port = EndPortId::none();
  };
  // Where a switch sends that LID; null where that is nowhere: no table, no route, no cable.
  [[nodiscard]] const Exit* exit(SwitchId at, Lid lid) const;

 private:
  [[nodiscard]] Result<const Exit*> exit_towards(SwitchId at, Lid lid, EndPortId to) const;

  const Snapshot* graph_;
  const Subnet* subnet_;
  std::vector<const ForwardingTable*> tables_;  // by switch; null where there is none
  std::vector<std::vector<Exit>> exits_;        // by switch, then port
};

}  // namespace weir::fabric
