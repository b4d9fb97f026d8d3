#include "fabric/forwarding.hpp"

#include <algorithm>

namespace weir::fabric {

const ForwardingTable* ForwardingTables::find(Guid switch_guid) const {
  const auto found =
      std::ranges::lower_bound(switches, switch_guid, {}, &ForwardingTable::switch_guid);
  return found != switches.end() && found->switch_guid == switch_guid ? &*found : nullptr;
}

}  // namespace weir::fabric
