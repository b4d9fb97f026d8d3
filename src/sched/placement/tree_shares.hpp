// Sharing a gang out over domains: the greedy rules that other schedulers publish, and what their
// placers have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pool/free_index.hpp"
#include "sched/placement/request.hpp"

namespace weir::sched {

// A domain and how much of the gang it could take or takes: nodes, or groups of nodes.
struct DomainShare {
  DomainId domain;
  std::uint32_t amount = 0;

  friend bool operator==(const DomainShare&, const DomainShare&) = default;
};

// The domains of `at` (<= depth) inside one of `depth` that can take something.
std::vector<DomainShare> capacities_under(const pool::FreeCapacityIndex& index, std::size_t depth,
                                          DomainId domain, std::size_t at,
                                          std::span<const std::uint16_t> capacity);

// Again and again the smallest domain that takes all that is left or, where there is none, the
// largest. REQUIRES of both: the capacities sum up to `amount` at least.
std::vector<DomainShare> share_best_fit(std::vector<DomainShare> capacities, std::uint32_t amount);

// From the smallest domain up, unless one takes it all; among equal ones the last first.
std::vector<DomainShare> share_least_free(std::vector<DomainShare> capacities,
                                          std::uint32_t amount);

// The node for the tail: of the cells under a domain the one with the fewest free GPUs that serves
// and that no whole part has; the lowest among equals. `chosen` is sorted.
std::optional<pool::Slot> tail_under(const pool::FreeCapacityIndex& index, const NodeQuery& query,
                                     std::span<const std::uint16_t> tail_nodes,
                                     pool::FreeCapacityIndex::Range cells,
                                     std::span<const pool::Slot> chosen);

}  // namespace weir::sched
