#include "sched/placement/cell_search.hpp"

#include <algorithm>
#include <bit>

namespace weir::sched {
namespace {

pool::Slot slot_at(std::uint32_t word, std::uint64_t bits) {
  return pool::Slot(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
}

}  // namespace

std::uint64_t CellSearch::candidates(std::uint32_t word) const {
  if (!query_.demand.asks_share()) return index_.free_word(query_.demand.gpus, word);
  return index_.free_word(1, word) | index_.shared_word(word);
}

std::uint64_t CellSearch::serving(std::uint64_t candidates, std::uint32_t word) const {
  std::uint64_t certain = 0;
  std::uint64_t to_check = 0;
  for (const pool::EligibleClass& eligible : query_.classes) {
    const std::uint64_t members = candidates & index_.class_word(eligible.id, word);
    (eligible.proportional ? certain : to_check) |= members;
  }
  const std::uint64_t lean = certain & index_.lean_word(word);
  certain &= ~lean;
  to_check |= lean;
  for (; to_check != 0; to_check &= to_check - 1)
    if (index_.free_at(slot_at(word, to_check)).covers(query_.demand))
      certain |= to_check & -to_check;
  return certain;
}

std::uint32_t CellSearch::count(DomainId cell) const {
  const auto [first, last] = index_.words(cell);
  std::uint32_t total = 0;
  for (std::uint32_t word = first; word < last; ++word)
    total += static_cast<std::uint32_t>(std::popcount(serving(candidates(word), word)));
  return total;
}

std::uint32_t CellSearch::take_tightest(DomainId cell, std::uint32_t wanted,
                                        std::vector<pool::Slot>& out) const {
  const auto [first, last] = index_.words(cell);
  std::uint32_t taken = 0;
  for (std::uint32_t gpus = query_.demand.gpus; gpus <= index_.max_gpus(); ++gpus) {
    for (std::uint32_t word = first; word < last; ++word) {
      const std::uint64_t exactly =
          index_.free_word(gpus, word) & ~index_.free_word(gpus + 1, word);
      if (exactly == 0) continue;
      for (std::uint64_t bits = serving(exactly, word); bits != 0; bits &= bits - 1) {
        if (taken == wanted) return taken;
        out.push_back(slot_at(word, bits));
        ++taken;
      }
    }
  }
  return taken;
}

std::optional<pool::Slot> CellSearch::first_with(DomainId cell, std::uint32_t gpus,
                                                 std::span<const pool::Slot> except) const {
  const auto [first, last] = index_.words(cell);
  for (std::uint32_t word = first; word < last; ++word) {
    const std::uint64_t exactly = index_.free_word(gpus, word) & ~index_.free_word(gpus + 1, word);
    if (exactly == 0) continue;
    for (std::uint64_t bits = serving(exactly, word); bits != 0; bits &= bits - 1)
      if (!std::ranges::binary_search(except, slot_at(word, bits))) return slot_at(word, bits);
  }
  return std::nullopt;
}

void CellSearch::all(DomainId cell, std::vector<pool::Slot>& out) const {
  const auto [first, last] = index_.words(cell);
  for (std::uint32_t word = first; word < last; ++word)
    for (std::uint64_t bits = serving(candidates(word), word); bits != 0; bits &= bits - 1)
      out.push_back(slot_at(word, bits));
}

}  // namespace weir::sched
