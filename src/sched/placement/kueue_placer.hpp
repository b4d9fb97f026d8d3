// Placement as Kueue's topology-aware scheduling describes it: from the level that the job names
// upward to the first domain that holds it, then level by level down by one of three rules. A
// baseline to compare with; it keeps every hard rule of Weir besides, so a job that names no level
// stays in one fabric.
// Source: Kueue, KEP-2724 "Topology Aware Scheduling".
#pragma once

#include "sched/placement/domain_counts.hpp"
#include "sched/placement/placer.hpp"
#include "sched/placement/tree_shares.hpp"

namespace weir::sched {

class KueuePlacer final : public Placer {
 public:
  enum Rule {
    kBestFit,    // the largest domains, the last one the smallest that suffices
    kLeastFree,  // from the smallest domain up
    kBalanced,   // as many nodes in each domain as can be, in the fewest domains; else best fit
  };
  explicit KueuePlacer(Rule rule) : rule_(rule) {}

  std::optional<Placement> place(const pool::FreeCapacityIndex& index, const Request& request,
                                 Rng& rng) override;

 private:
  struct Where {
    std::size_t depth = 0;
    DomainId domain;
  };
  // The domain that will hold the gang; none if no domain does.
  [[nodiscard]] Where choose_domain(const pool::FreeCapacityIndex& index,
                                    const Request& request) const;
  void fill(const pool::FreeCapacityIndex& index, const Request& request, std::size_t depth,
            DomainShare share);
  // Takes the nodes when they can be balanced; false when they cannot.
  bool fill_balanced(const pool::FreeCapacityIndex& index, const Request& request);
  [[nodiscard]] std::vector<DomainShare> share(std::vector<DomainShare> capacities,
                                               std::uint32_t amount) const;

  Rule rule_;
  DomainCounts counts_;
  std::vector<pool::Slot> chosen_;
};

}  // namespace weir::sched
