// Placement that does not look at the fabric beyond what the job demands of it: the lowest nodes
// that serve ("firstfit") or any ("random"). Baselines to compare with; they keep every hard rule.
#pragma once

#include "sched/placement/domain_counts.hpp"
#include "sched/placement/placer.hpp"

namespace weir::sched {

class InOrderPlacer final : public Placer {
 public:
  enum Order { kLowest, kShuffled };
  explicit InOrderPlacer(Order order) : order_(order) {}

  std::optional<Placement> place(const pool::FreeCapacityIndex& index, const Request& request,
                                 Rng& rng) override;

 private:
  // The domain of the widest allowed level in which the gang will lie; none if it fits in none.
  [[nodiscard]] DomainId choose_domain(const pool::FreeCapacityIndex& index, Rng& rng) const;
  void choose_whole(const pool::FreeCapacityIndex& index, const Request& request, DomainId domain,
                    Rng& rng);
  std::optional<pool::Slot> choose_tail(const pool::FreeCapacityIndex& index,
                                        const NodeQuery& query, DomainId domain, Rng& rng) const;

  Order order_;
  DomainCounts counts_;
  std::vector<pool::Slot> chosen_;
};

}  // namespace weir::sched
