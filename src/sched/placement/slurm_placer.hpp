// Placement as Slurm's topology/tree plugin documents it: the lowest switch under which the job
// fits, of those the one with the fewest free nodes; below it leaf switches by best fit, nodes by
// number. A baseline to compare with, for trees of switches where a node has one leaf; it keeps
// every hard rule of Weir besides.
// Source: Slurm, "Topology Guide", hierarchical networks.
#pragma once

#include "sched/placement/domain_counts.hpp"
#include "sched/placement/placer.hpp"

namespace weir::sched {

class SlurmPlacer final : public Placer {
 public:
  std::optional<Placement> place(const pool::FreeCapacityIndex& index, const Request& request,
                                 Rng& rng) override;

 private:
  // Takes `amount` nodes from under a domain.
  void take_nodes(const pool::FreeCapacityIndex& index, const NodeQuery& query, std::size_t depth,
                  DomainId domain, std::uint32_t amount);

  DomainCounts counts_;
  std::vector<pool::Slot> chosen_;
};

}  // namespace weir::sched
