// The slow check that the pool's sums, masks and indexes agree with its leases.
#include <bit>

#include <fmt/format.h>

#include "pool/pool.hpp"

namespace weir::pool {
namespace {

std::unexpected<Error> broken(const NodeState& node, std::string_view what) {
  return corrupt(fmt::format("pool audit: node {}: {}", node.name, what));
}

// Adds the node's holdings to `sum`; an error when they overlap or do not fill what is not free.
Status audit_node(const NodeState& node, const Capacity& total, Ledger& sum) {
  GpuMask taken = 0;
  Capacity held;
  for (const Holding& holding : node.holdings) {
    if ((taken & holding.gpus) != 0) return broken(node, "a GPU is leased twice");
    if (static_cast<std::uint32_t>(std::popcount(holding.gpus)) != holding.held.gpus)
      return broken(node, "a holding's mask and count differ");
    taken |= holding.gpus;
    held = held + holding.held;
  }
  if (held + node.free != total) return broken(node, "free and held do not add up to the whole");
  if ((taken & node.free_gpus) != 0 ||
      static_cast<std::uint32_t>(std::popcount(node.free_gpus)) != node.free.gpus)
    return broken(node, "the mask of free GPUs is wrong");
  sum.gpus += total.gpus;
  sum.leased_gpus += held.gpus;
  sum.lease_parts += node.holdings.size();
  return {};
}

}  // namespace

Status Pool::audit() const {
  Ledger sum;
  sum.leases = ledger_.leases;
  std::vector<IndexedNode> now;
  for (const NodeState& node : nodes_) {
    WEIR_TRY(audit_node(node, classes_.kind_of(node.node_class).total, sum));
    now.push_back({node.cell, node.node_class, standing(node)});
  }
  if (sum != ledger_)
    return corrupt(
        fmt::format("pool audit: the ledger says {} of {} GPUs leased in {} parts, the "
                    "nodes say {} of {} in {}",
                    ledger_.leased_gpus, ledger_.gpus, ledger_.lease_parts, sum.leased_gpus,
                    sum.gpus, sum.lease_parts));
  if (open_trials_ == 0 && !(free() == FreeCapacityIndex(locality_, classes_, now)))
    return corrupt("pool audit: the free-capacity index differs from a recount");
  return {};
}

}  // namespace weir::pool
