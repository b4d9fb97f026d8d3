// Looks for nodes inside cells: the only place that reads bitsets and single nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pool/free_index.hpp"
#include "sched/placement/request.hpp"

namespace weir::sched {

class CellSearch {
 public:
  // Both must outlive the search, and the index must not change meanwhile.
  CellSearch(const pool::FreeCapacityIndex& index, const NodeQuery& query)
      : index_(index), query_(query) {}

  // How many nodes of the cell serve.
  [[nodiscard]] std::uint32_t count(DomainId cell) const;

  // Appends up to `wanted` nodes of the cell that serve, those with the fewest free GPUs first,
  // among equal ones the lowest slot; returns how many.
  std::uint32_t take_tightest(DomainId cell, std::uint32_t wanted,
                              std::vector<pool::Slot>& out) const;

  // The lowest slot of the cell that serves with exactly `gpus` GPUs free and is not in `except`
  // (sorted).
  [[nodiscard]] std::optional<pool::Slot> first_with(DomainId cell, std::uint32_t gpus,
                                                     std::span<const pool::Slot> except) const;

  // Appends all nodes of the cell that serve, by slot.
  void all(DomainId cell, std::vector<pool::Slot>& out) const;

 private:
  // Nodes of a word that have the GPUs or, for a share, may have room for it.
  [[nodiscard]] std::uint64_t candidates(std::uint32_t word) const;
  // Of these candidate bits of a word, those that serve.
  [[nodiscard]] std::uint64_t serving(std::uint64_t candidates, std::uint32_t word) const;

  const pool::FreeCapacityIndex& index_;
  const NodeQuery& query_;
};

}  // namespace weir::sched
