// Subnet: one plane as those see it who fill its forwarding tables: switches, the ports that need
// a LID, and the cables between them. A Snapshot may hold several subnets, each with LIDs of its
// own.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "fabric/graph.hpp"

namespace weir::fabric {

using SwitchId = Id<struct SubnetSwitchTag>;  // index in Subnet::switches
using EndPortId = Id<struct EndPortTag>;      // index in Subnet::end_ports

// A switch port with a cable; it leads to a switch or to an end port.
struct SwitchPort {
  PortNumber number;
  SwitchId peer = SwitchId::none();
  PortNumber peer_port;
  EndPortId end_port = EndPortId::none();
};

struct SubnetSwitch {
  VertexId vertex;
  Guid guid;
  Lid lid;
  std::vector<SwitchPort> ports;  // ascending number
};

// A port of an HCA or router that is plugged into a switch.
struct EndPort {
  VertexId vertex;
  PortNumber port;
  Lid lid;
  SwitchId leaf;
  PortNumber leaf_port;
  bool router = false;
};

struct Subnet {
  // In the order in which OpenSM walks its switches on a little-endian machine: it keys them by the
  // GUID as it came over the wire, so the last byte counts most.
  std::vector<SubnetSwitch> switches;
  std::vector<EndPort> end_ports;  // by switch, then port
  Lid last_lid = Lid(0);

  [[nodiscard]] const SubnetSwitch& at(SwitchId id) const { return switches[id.index()]; }
  [[nodiscard]] const EndPort& at(EndPortId id) const { return end_ports[id.index()]; }
  // None where the switch is of another plane.
  [[nodiscard]] SwitchId find(Guid switch_guid) const;
  // None where no end port has it.
  [[nodiscard]] EndPortId find(Lid lid) const;
};

// The planes that have switches, by their lowest switch GUID. Errors: a switch or end port has no
// LID, or two of one plane have the same: without LIDs there is nothing to route.
Result<std::vector<Subnet>> subnets_of(const Snapshot& snapshot);

}  // namespace weir::fabric
