// ShapeTable: jobs that ask for the same thing share one shape, so that what cannot start for one
// need not be tried for the next.
#pragma once

#include <map>
#include <vector>

#include "model/job.hpp"

namespace weir::state {

using ShapeId = Id<struct ShapeTag>;

struct Shape {
  Gang gang;
  Requirement requirement;
  TopologyWish wish;

  friend auto operator<=>(const Shape&, const Shape&) = default;
};

class ShapeTable {
 public:
  ShapeTable() = default;
  ~ShapeTable() = default;
  // Entries point into the map, so a copy would point into its original.
  ShapeTable(const ShapeTable&) = delete;
  ShapeTable& operator=(const ShapeTable&) = delete;
  ShapeTable(ShapeTable&&) = default;
  ShapeTable& operator=(ShapeTable&&) = default;

  // The shape's id; equal shapes have one id as long as somebody uses it.
  ShapeId acquire(const Shape& shape);
  void release(ShapeId id);

  // REQUIRES: in use.
  [[nodiscard]] const Shape& shape(ShapeId id) const { return *entries_[id.index()].shape; }
  // Ids are below this; a freed id is given to the next new shape.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  // Differs each time an id gets a new meaning, for those who remember something per id.
  [[nodiscard]] std::uint64_t generation(ShapeId id) const {
    return entries_[id.index()].generation;
  }

 private:
  struct Entry {
    const Shape* shape = nullptr;  // key of ids_, whose nodes do not move
    std::uint64_t uses = 0;
    std::uint64_t generation = 0;
  };

  std::map<Shape, ShapeId> ids_;
  std::vector<Entry> entries_;
  std::vector<ShapeId> vacant_;
};

}  // namespace weir::state
