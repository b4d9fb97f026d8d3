// Kueue's balanced placement: of all ways into the fewest domains the one whose emptiest domain
// gets the most.
// Source: Kueue, KEP-2724 "Topology Aware Scheduling", balanced placement.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/placement/tree_shares.hpp"

namespace weir::sched {

// A domain of the level that the job names, and the domains below it (itself alone where the level
// is the lowest) with what they can take.
struct BalancedDomain {
  DomainId domain;
  std::vector<DomainShare> below;
};

// Domains under one parent: the gang lies in one such set.
using BalancedSet = std::vector<BalancedDomain>;

// What each domain of the lower level takes; nothing when no set holds the gang in balance.
std::vector<DomainShare> share_balanced(const std::vector<BalancedSet>& sets, std::uint32_t amount,
                                        bool two_levels);

}  // namespace weir::sched
