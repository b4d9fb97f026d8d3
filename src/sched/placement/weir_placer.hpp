// Weir's own placement: the smallest domain that holds the gang, among those the tightest; inside
// it the fewest and tightest smaller domains; inside a cell the nodes with the fewest free GPUs.
// A job on one node goes to the tightest node, among those into the cell with the fewest idle
// nodes, so that idle cells stay whole for gangs. A share of a GPU goes where it leaves least of a
// shared GPU; onto a wholly free one only if none has room, and then as a job of one GPU.
#pragma once

#include "sched/placement/domain_counts.hpp"
#include "sched/placement/placer.hpp"

namespace weir::sched {

class WeirPlacer final : public Placer {
 public:
  std::optional<Placement> place(const pool::FreeCapacityIndex& index, const Request& request,
                                 Rng& rng) override;

 private:
  // A part of the gang for one child domain: groups or nodes, as the level counts.
  struct Share {
    DomainId domain;
    std::uint32_t amount = 0;
  };

  std::optional<Placement> place_on_one_node(const pool::FreeCapacityIndex& index,
                                             const NodeQuery& query);
  std::optional<Placement> place_share(const pool::FreeCapacityIndex& index,
                                       const NodeQuery& query);
  void count_idle(const pool::FreeCapacityIndex& index, const NodeQuery& query);
  std::optional<pool::Slot> tightest_node(const pool::FreeCapacityIndex& index,
                                          const NodeQuery& query, std::uint32_t gpus);
  // Chooses nodes for `amount` groups (at or above the segment level) or nodes (below it).
  void fill(const pool::FreeCapacityIndex& index, const Request& request, std::size_t depth,
            Share share);
  void split(const pool::FreeCapacityIndex& index, std::size_t depth, Share share, bool grouped,
             std::vector<Share>& out) const;
  std::optional<pool::Slot> place_tail(const pool::FreeCapacityIndex& index, const NodeQuery& query,
                                       std::size_t depth, DomainId domain) const;

  DomainCounts counts_;
  std::vector<pool::Slot> chosen_;
  // Per cell, of the eligible classes: idle nodes; nodes with the GPUs looked for.
  std::vector<std::uint16_t> idle_;
  std::vector<std::uint16_t> exact_;
};

}  // namespace weir::sched
