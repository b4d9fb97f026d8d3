// PendingQueue: the pending jobs in order, one lane for each shape.
//
// The first of all is the first of the lane heads. A walk over the queue can leave out a whole lane
// as soon as one of its jobs shows that the others cannot start either, instead of trying 100,000
// equal jobs.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "sched/queue/lane.hpp"
#include "state/shape_table.hpp"

namespace weir::sched {

class PendingQueue {
 public:
  struct Item {
    OrderKey key;
    state::ShapeId shape;
    friend auto operator<=>(const Item&, const Item&) = default;
  };

  void insert(const Item& item, Duration estimate);
  // REQUIRES: the item is in the queue.
  void erase(const Item& item);

  [[nodiscard]] bool empty() const { return heads_.empty(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  // REQUIRES: not empty.
  [[nodiscard]] const Item& first() const { return *heads_.begin(); }

  // Visits the items in order. The queue must not change while a walk lives.
  class Walk {
   public:
    explicit Walk(const PendingQueue& queue);
    [[nodiscard]] bool at_end() const { return heap_.empty(); }
    // REQUIRES of all below: not at_end().
    [[nodiscard]] Item item() const;
    void next();
    // From the next item on, leaves out those of this item's shape that are estimated longer.
    void only_up_to(Duration longest) { heap_.front().longest = longest; }
    // Goes on without the rest of this item's shape.
    void drop_shape();

   private:
    struct Head {
      const Lane* lane = nullptr;
      Lane::Position at;
      Duration longest = Duration::max();
      state::ShapeId shape;
    };
    static bool later(const Head& a, const Head& b) {
      return b.lane->at(b.at).key < a.lane->at(a.at).key;
    }

    std::vector<Head> heap_;  // the first in order at the front
  };

 private:
  std::map<state::ShapeId, Lane> lanes_;  // none is empty
  std::set<Item> heads_;                  // first of each lane
  std::size_t size_ = 0;
};

}  // namespace weir::sched
