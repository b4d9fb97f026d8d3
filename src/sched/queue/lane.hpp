// Lane: the pending jobs of one shape, in order, that can also find the next one that is short
// enough without looking at all the long ones between.
//
// A sorted sequence cut into blocks, each with the shortest estimate in it: insertion and removal
// move at most one block, a search for a short job skips blocks.
#pragma once

#include <cstddef>
#include <vector>

#include "sched/queue/order.hpp"

namespace weir::sched {

class Lane {
 public:
  struct Entry {
    OrderKey key;
    Duration estimate{0};
  };
  // Position of an entry; any insertion or removal makes it void.
  struct Position {
    std::size_t block = 0;
    std::size_t entry = 0;
  };

  // REQUIRES: no entry has this key.
  void insert(const Entry& entry);
  // REQUIRES: an entry has this key.
  void erase(const OrderKey& key);

  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  // REQUIRES: not empty.
  [[nodiscard]] const Entry& first() const { return blocks_.front().entries.front(); }

  [[nodiscard]] bool at_end(Position at) const { return at.block >= blocks_.size(); }
  [[nodiscard]] const Entry& at(Position at) const { return blocks_[at.block].entries[at.entry]; }
  // The first entry after `at` whose estimate is at most `longest`.
  [[nodiscard]] Position after(Position at, Duration longest) const;

 private:
  struct Block {
    std::vector<Entry> entries;  // ascending by key, never empty
    Duration shortest{0};
  };

  // The block in which a key is or belongs. REQUIRES: not empty.
  [[nodiscard]] std::size_t block_of(const OrderKey& key) const;

  std::vector<Block> blocks_;
};

}  // namespace weir::sched
