// The slow check that the pool's sums, masks and indexes agree with its leases.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "pool/pool.hpp"

namespace weir::pool {
namespace {

std::unexpected<Error> broken(const NodeState& node, std::string_view what) {
  return corrupt(fmt::format("pool audit: node {}: {}", node.name, what));
}

// Whether the holdings give the room that is left: no GPU over 1000, none both whole and shared.
Status audit_gpus(const NodeState& node, std::uint32_t gpus) {
  std::uint32_t whole = 0;
  std::uint32_t shared = 0;
  Room room;
  for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
    std::uint32_t held = 0;
    for (const Holding& holding : node.holdings) {
      if ((holding.gpus >> gpu & 1U) == 0) continue;
      (holding.held.asks_share() ? shared : whole) |= GpuMask{1} << gpu;
      held += holding.held.asks_share() ? holding.held.gpu_milli : kWholeMilli;
    }
    if (held > kWholeMilli) return broken(node, "a GPU is leased beyond the whole");
    if ((whole & shared) != 0) return broken(node, "a GPU is leased whole and shared");
    if (held == 0) room.free_gpus |= GpuMask{1} << gpu;
    if ((shared >> gpu & 1U) == 0) continue;
    const auto left = static_cast<std::uint16_t>(kWholeMilli - held);
    room.shared.push_back({static_cast<std::uint8_t>(gpu), left});
    room.free.gpu_milli = std::max<std::uint32_t>(room.free.gpu_milli, left);
  }
  if (room.free_gpus != node.free_gpus ||
      static_cast<std::uint32_t>(std::popcount(room.free_gpus)) != node.free.gpus)
    return broken(node, "the mask of free GPUs is wrong");
  if (room.shared != node.shared || room.free.gpu_milli != node.free.gpu_milli)
    return broken(node, "what is left of its shared GPUs is wrong");
  return {};
}

// Adds the node's holdings to `sum`; an error when they overlap or do not fill what is not free.
Status audit_node(const NodeState& node, const Capacity& total, Ledger& sum) {
  Capacity left = total;
  for (const Holding& holding : node.holdings) {
    const auto gpus = static_cast<std::uint32_t>(std::popcount(holding.gpus));
    if (gpus != (holding.held.asks_share() ? 1 : holding.held.gpus))
      return broken(node, "a holding's mask and count differ");
    left.cpu_milli -= holding.held.cpu_milli;
    left.memory_mib -= holding.held.memory_mib;
    sum.leased_milli += holding.held.milli_gpus();
  }
  if (left.cpu_milli != node.free.cpu_milli || left.memory_mib != node.free.memory_mib)
    return broken(node, "free and held do not add up to the whole");
  sum.gpus += total.gpus;
  sum.lease_parts += node.holdings.size();
  return audit_gpus(node, total.gpus);
}

}  // namespace

Status Pool::audit() const {
  Ledger sum;
  sum.leases = ledger_.leases;
  for (const NodeState& node : nodes_)
    WEIR_TRY(audit_node(node, classes_.kind_of(node.node_class).total, sum));
  if (sum != ledger_)
    return corrupt(
        fmt::format("pool audit: the ledger says {} thousandths of {} GPUs leased in {} parts, the "
                    "nodes say {} of {} in {}",
                    ledger_.leased_milli, ledger_.gpus, ledger_.lease_parts, sum.leased_milli,
                    sum.gpus, sum.lease_parts));
  if (open_trials_ > 0) return {};
  std::vector<Room> limited;
  if (free() != FreeCapacityIndex(locality_, classes_, standing_now(limited)))
    return corrupt("pool audit: the free-capacity index differs from a recount");
  return {};
}

}  // namespace weir::pool
