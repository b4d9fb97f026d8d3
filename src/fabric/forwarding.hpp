// ForwardingTables: through which port every switch of a plane sends to each LID (InfiniBand's
// linear forwarding tables), as read from a dump or computed here.
#pragma once

#include <cstdint>
#include <vector>

#include "model/ids.hpp"

namespace weir::fabric {

// An entry that leads nowhere; the port that a switch gives to LIDs it has no route to.
inline constexpr std::uint8_t kNoRoute = 255;

struct ForwardingTable {
  Guid switch_guid;
  std::vector<std::uint8_t> out_port;  // [LID]; 0 is the switch itself; LIDs beyond have no route

  [[nodiscard]] std::uint8_t port_to(Lid lid) const {
    return lid.value() < out_port.size() ? out_port[lid.value()] : kNoRoute;
  }
  friend bool operator==(const ForwardingTable&, const ForwardingTable&) = default;
};

// Of one plane: LIDs mean nothing in another.
struct ForwardingTables {
  std::vector<ForwardingTable> switches;  // ascending GUID, each once

  // Null when the switch has no table.
  [[nodiscard]] const ForwardingTable* find(Guid switch_guid) const;

  friend bool operator==(const ForwardingTables&, const ForwardingTables&) = default;
};

}  // namespace weir::fabric
