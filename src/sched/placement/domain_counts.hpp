// DomainCounts: for one request, what each domain of each level could hold of it.
//
// Exact, also under CPU and memory limits, segments and exclusive domains. From the index's own
// counters where those tell the truth (no lean nodes, demands within their share), by counting the
// nodes of a cell where they do not; sums climb the tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pool/free_index.hpp"
#include "sched/placement/request.hpp"

namespace weir::sched {

class DomainCounts {
 public:
  // Levels that the wish names, as positions in the tree; index.levels() where it has none.
  struct Depths {
    std::size_t widest = 0;   // the largest domain in which the gang may lie
    std::size_t segment = 0;  // 0 where no segments are asked
  };

  // False when the wish names a level that the tree lacks; then nothing else may be called.
  bool compute(const pool::FreeCapacityIndex& index, const Request& request);

  [[nodiscard]] const Depths& depths() const { return depths_; }
  // Nodes of each domain that serve a whole part; those that serve the tail.
  [[nodiscard]] std::span<const std::uint16_t> nodes(std::size_t depth) const {
    return nodes_[depth];
  }
  [[nodiscard]] std::span<const std::uint16_t> tail_nodes(std::size_t depth) const {
    return tail_nodes_[depth];
  }
  // Groups (segments, or nodes without segments) that fit. REQUIRES: depth >= depths().segment.
  [[nodiscard]] std::span<const std::uint16_t> groups(std::size_t depth) const {
    return grouped_ ? groups_[depth] : nodes_[depth];
  }

  // Whether the domain can hold the whole gang.
  [[nodiscard]] bool holds_gang(std::size_t depth, DomainId domain) const;

  // The domain of this depth that holds the gang and has the fewest serving nodes, the lowest among
  // equals; none if there is none.
  [[nodiscard]] DomainId tightest(std::size_t depth) const;

 private:
  using PerDomain = std::vector<std::uint16_t>;  // as the index counts; see limits::kNodes

  // What the domains of one depth must have for the gang.
  struct Needs {
    std::span<const std::uint16_t> whole;  // nodes or groups of each domain
    std::uint32_t wanted = 0;
    std::span<const std::uint16_t> tail;
    std::uint32_t wanted_tail = 0;

    [[nodiscard]] bool met_by(std::size_t domain) const {
      return whole[domain] >= wanted && tail[domain] >= wanted_tail;
    }
  };
  // The tail needs a node that no whole part takes.
  [[nodiscard]] Needs needs(std::size_t depth) const;

  void count_nodes(const pool::FreeCapacityIndex& index, const NodeQuery& query,
                   std::vector<PerDomain>& out) const;
  void clear_busy(const pool::FreeCapacityIndex& index, Level level, PerDomain& cells) const;

  Depths depths_;
  bool grouped_ = false;
  bool has_tail_ = false;
  std::uint32_t gang_nodes_ = 0;
  std::uint32_t gang_groups_ = 0;
  std::optional<Level> exclusive_;
  std::vector<PerDomain> nodes_;  // [depth][domain]
  std::vector<PerDomain> tail_nodes_;
  std::vector<PerDomain> groups_;
};

}  // namespace weir::sched
