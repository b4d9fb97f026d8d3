#include "fabric/collectives.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace weir::fabric {

double ring_all_reduce(Bytes size, std::uint32_t members, Bandwidth rate, double latency) {
  WEIR_ASSERT(members > 0);
  const double steps = 2.0 * (members - 1);
  return steps * latency + steps / members * (size / rate);
}

double gang_all_reduce(Bytes size, std::uint32_t nodes, std::uint32_t gpus_per_node,
                       const CollectiveLinks& links) {
  WEIR_ASSERT(gpus_per_node > 0);
  const double inside = ring_all_reduce(size, gpus_per_node, links.inside, links.inside_latency);
  const double between = ring_all_reduce(Bytes(size.count() / gpus_per_node), nodes, links.between,
                                         links.between_latency);
  return std::max(inside, between) + std::min(inside, between) / 2;
}

}  // namespace weir::fabric
