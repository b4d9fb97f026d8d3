#include "sched/queue/lane.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace weir::sched {
namespace {

// Long enough that few blocks are looked at, short enough that moving one costs nothing.
constexpr std::size_t kBlockEntries = 128;

Duration shortest_of(const std::vector<Lane::Entry>& entries) {
  return std::ranges::min_element(entries, {}, &Lane::Entry::estimate)->estimate;
}

}  // namespace

std::size_t Lane::block_of(const OrderKey& key) const {
  const auto after = std::ranges::upper_bound(
      blocks_, key, {}, [](const Block& block) { return block.entries.front().key; });
  return after == blocks_.begin() ? 0 : static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

void Lane::insert(const Entry& entry) {
  if (blocks_.empty()) {
    blocks_.push_back({{entry}, entry.estimate});
    return;
  }
  const std::size_t at = block_of(entry.key);
  Block& block = blocks_[at];
  const auto place = std::ranges::lower_bound(block.entries, entry.key, {}, &Entry::key);
  WEIR_ASSERT(place == block.entries.end() || place->key != entry.key);
  block.entries.insert(place, entry);
  block.shortest = std::min(block.shortest, entry.estimate);
  if (block.entries.size() <= kBlockEntries) return;
  // Jobs mostly arrive at the end: leave the first part full there, halve elsewhere.
  const bool last = at + 1 == blocks_.size();
  const auto cut = block.entries.begin() + (last ? kBlockEntries - 8 : kBlockEntries / 2);
  Block second{{cut, block.entries.end()}, {}};
  block.entries.erase(cut, block.entries.end());
  block.shortest = shortest_of(block.entries);
  second.shortest = shortest_of(second.entries);
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(second));
}

void Lane::erase(const OrderKey& key) {
  WEIR_ASSERT(!blocks_.empty());
  const std::size_t at = block_of(key);
  Block& block = blocks_[at];
  const auto place = std::ranges::lower_bound(block.entries, key, {}, &Entry::key);
  WEIR_ASSERT(place != block.entries.end() && place->key == key);
  const Duration estimate = place->estimate;
  block.entries.erase(place);
  if (block.entries.empty()) {
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(at));
  } else if (estimate == block.shortest) {
    block.shortest = shortest_of(block.entries);
  }
}

Lane::Position Lane::after(Position at, Duration longest) const {
  ++at.entry;
  for (; at.block < blocks_.size(); ++at.block, at.entry = 0) {
    const Block& block = blocks_[at.block];
    if (block.shortest > longest) continue;
    for (; at.entry < block.entries.size(); ++at.entry)
      if (block.entries[at.entry].estimate <= longest) return at;
  }
  return at;
}

}  // namespace weir::sched
