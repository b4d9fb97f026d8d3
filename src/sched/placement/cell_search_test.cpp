#include "sched/placement/cell_search.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "sched/placement/test_cluster.hpp"

namespace weir::sched {
namespace {

using testing::Cluster;
using testing::gang_job;
using testing::units_of;

// Unit 0 is empty, unit 1 has 70 nodes: two words of bits.
class CellSearchTest : public ::testing::Test {
 protected:
  CellSearchTest() : cluster_(units_of({0, 70})) {
    cluster_.occupy(3, {5, 0, 0});
    cluster_.occupy(66, {5, 62, 0});  // lean: 3 GPUs and only 2 CPUs left
    cluster_.occupy(67, {2, 0, 0});
  }
  // The node in slot order, as the site has one unit with nodes only.
  [[nodiscard]] std::vector<std::uint32_t> nodes_of(const std::vector<pool::Slot>& slots) const {
    std::vector<std::uint32_t> nodes;
    for (const pool::Slot slot : slots) nodes.push_back(cluster_.pool.free().node_at(slot).value());
    return nodes;
  }
  [[nodiscard]] NodeQuery query(Capacity demand) const {
    Job job = gang_job(1, 1);
    job.gang.per_node = demand;
    return cluster_.request(job).whole;
  }

  Cluster cluster_;
  const DomainId cell_{1};
};

TEST_F(CellSearchTest, CountsTheNodesThatServe) {
  const auto count = [&](Capacity demand) {
    const NodeQuery wanted = query(demand);
    return CellSearch(cluster_.pool.free(), wanted).count(cell_);
  };
  EXPECT_EQ(count({3, 0, 0}), 70U);
  EXPECT_EQ(count({4, 0, 0}), 68U);
  EXPECT_EQ(count({8, 64, 512}), 67U);
  EXPECT_EQ(count({3, 3, 0}), 69U) << "the lean node has too few CPUs";
  EXPECT_EQ(count({1, 60, 0}), 69U) << "more than the share: every node is looked at";
  EXPECT_EQ(CellSearch(cluster_.pool.free(), query({1, 0, 0})).count(DomainId(0)), 0U);
}

TEST_F(CellSearchTest, TakesTheNodesWithFewestFreeGpusFirstAmongEqualsTheLowest) {
  const NodeQuery wanted = query({2, 0, 0});
  std::vector<pool::Slot> slots;
  EXPECT_EQ(CellSearch(cluster_.pool.free(), wanted).take_tightest(cell_, 5, slots), 5U);
  EXPECT_EQ(nodes_of(slots), (std::vector<std::uint32_t>{3, 66, 67, 0, 1}));
  EXPECT_EQ(CellSearch(cluster_.pool.free(), wanted).take_tightest(cell_, 100, slots), 70U);
}

TEST_F(CellSearchTest, FindsTheFirstNodeWithExactlySoManyGpusBesideThoseTaken) {
  const NodeQuery wanted = query({3, 0, 0});
  const CellSearch search(cluster_.pool.free(), wanted);
  const auto first = search.first_with(cell_, 3, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(nodes_of({*first}), (std::vector<std::uint32_t>{3}));
  const auto second = search.first_with(cell_, 3, std::vector<pool::Slot>{*first});
  ASSERT_TRUE(second);
  EXPECT_EQ(nodes_of({*second}), (std::vector<std::uint32_t>{66}));
  EXPECT_FALSE(search.first_with(cell_, 3, std::vector<pool::Slot>{*first, *second}));
  EXPECT_FALSE(search.first_with(cell_, 5, {}));
}

TEST_F(CellSearchTest, ListsAllThatServeBySlot) {
  const NodeQuery wanted = query({8, 0, 0});
  std::vector<pool::Slot> slots;
  CellSearch(cluster_.pool.free(), wanted).all(cell_, slots);
  EXPECT_EQ(slots.size(), 67U);
  EXPECT_TRUE(std::ranges::is_sorted(slots));
}

}  // namespace
}  // namespace weir::sched
