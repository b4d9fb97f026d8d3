#include "state/shape_table.hpp"

#include <gtest/gtest.h>

namespace weir::state {
namespace {

Shape shape_of(std::uint32_t nodes) {
  Shape shape;
  shape.gang.nodes = nodes;
  shape.gang.per_node.gpus = 8;
  return shape;
}

TEST(ShapeTable, EqualShapesShareAnIdWhileSomebodyUsesIt) {
  ShapeTable table;
  const ShapeId two = table.acquire(shape_of(2));
  EXPECT_EQ(table.acquire(shape_of(2)), two);
  EXPECT_NE(table.acquire(shape_of(3)), two);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(table.shape(two), shape_of(2));
  table.release(two);
  EXPECT_EQ(table.acquire(shape_of(2)), two) << "its second user still has it";
}

TEST(ShapeTable, ShapesDifferByGangRequirementAndWish) {
  ShapeTable table;
  const ShapeId plain = table.acquire(shape_of(2));
  Shape other = shape_of(2);
  other.requirement.rails = 1;
  EXPECT_NE(table.acquire(other), plain);
  other = shape_of(2);
  other.wish.prefer = Level::kPod;
  EXPECT_NE(table.acquire(other), plain);
  other = shape_of(2);
  other.gang.tail.gpus = 1;
  EXPECT_NE(table.acquire(other), plain);
}

TEST(ShapeTable, AFreedIdGetsANewMeaningAndANewGeneration) {
  ShapeTable table;
  const ShapeId first = table.acquire(shape_of(1));
  const std::uint64_t generation = table.generation(first);
  table.release(first);
  const ShapeId second = table.acquire(shape_of(2));
  EXPECT_EQ(second, first);
  EXPECT_EQ(table.size(), 1U);
  EXPECT_NE(table.generation(second), generation);
  EXPECT_EQ(table.shape(second), shape_of(2));
}

TEST(ShapeTable, GenerationsBeginAboveZeroSoThatZeroMeansNothingKnown) {
  ShapeTable table;
  EXPECT_GT(table.generation(table.acquire(shape_of(1))), 0U);
}

TEST(ShapeTable, KeepsItsShapesWhenItIsMoved) {
  ShapeTable table;
  const ShapeId id = table.acquire(shape_of(4));
  const ShapeTable moved = std::move(table);
  EXPECT_EQ(moved.shape(id), shape_of(4));
}

TEST(ShapeTableDeathTest, AShapeIsReleasedNoMoreOftenThanAcquired) {
  ShapeTable table;
  const ShapeId id = table.acquire(shape_of(1));
  table.release(id);
  EXPECT_DEATH(table.release(id), "uses");
}

}  // namespace
}  // namespace weir::state
