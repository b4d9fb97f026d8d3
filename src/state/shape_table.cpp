#include "state/shape_table.hpp"

#include "base/assert.hpp"

namespace weir::state {

ShapeId ShapeTable::acquire(const Shape& shape) {
  const auto [place, is_new] = ids_.try_emplace(shape);
  if (is_new) {
    if (vacant_.empty()) {
      vacant_.push_back(ShapeId(static_cast<std::uint32_t>(entries_.size())));
      entries_.emplace_back();
    }
    place->second = vacant_.back();
    vacant_.pop_back();
    Entry& entry = entries_[place->second.index()];
    entry.shape = &place->first;
    ++entry.generation;
  }
  ++entries_[place->second.index()].uses;
  return place->second;
}

void ShapeTable::release(ShapeId id) {
  Entry& entry = entries_[id.index()];
  WEIR_ASSERT(entry.uses > 0);
  if (--entry.uses > 0) return;
  ids_.erase(ids_.find(*entry.shape));
  entry.shape = nullptr;
  vacant_.push_back(id);
}

}  // namespace weir::state
