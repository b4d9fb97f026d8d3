#include "pool/free_index.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "support/site.hpp"

namespace weir::pool {
namespace {

using testing::kUsualNode;
using testing::tree_of;

// Two pods of two units, three nodes of 8 GPUs in each, and the class table they need.
struct Built {
  Locality tree = tree_of(1, 2, 2);
  ClassTable classes;
  std::vector<IndexedNode> nodes;
  ClassId usual;

  Built() {
    usual = classes.intern(NodeClass{classes.intern(NodeKind{"", kUsualNode, {}, {}})});
    for (std::uint32_t i = 0; i < 12; ++i)
      nodes.push_back({DomainId(i / 3), usual, {kUsualNode, true, false}});
  }
  [[nodiscard]] FreeCapacityIndex index() const { return {tree, classes, nodes}; }
};

std::vector<std::uint16_t> counts_of(const FreeCapacityIndex& index, std::size_t depth,
                                     std::uint32_t gpus, ClassId node_class = ClassId(0)) {
  const auto counts = index.counts(depth, node_class, gpus);
  return {counts.begin(), counts.end()};
}

using Counts = std::vector<std::uint16_t>;

TEST(FreeCapacityIndex, CountsNodesWithAtLeastSoManyGpusAtEveryLevel) {
  Built built;
  built.nodes[0].standing.free.gpus = 3;
  built.nodes[4].standing.free.gpus = 0;
  const FreeCapacityIndex index = built.index();
  EXPECT_EQ(index.max_gpus(), 8U);
  EXPECT_EQ(counts_of(index, 0, 0), (Counts{3, 3, 3, 3}));
  EXPECT_EQ(counts_of(index, 0, 1), (Counts{3, 2, 3, 3}));
  EXPECT_EQ(counts_of(index, 0, 3), (Counts{3, 2, 3, 3}));
  EXPECT_EQ(counts_of(index, 0, 4), (Counts{2, 2, 3, 3}));
  EXPECT_EQ(counts_of(index, 1, 4), (Counts{4, 6}));
  EXPECT_EQ(counts_of(index, 2, 8), (Counts{10}));
  EXPECT_EQ(counts_of(index, 3, 8), (Counts{10}));
}

TEST(FreeCapacityIndex, KeepsCountsOfClassesApart) {
  Built built;
  const ClassId poor = built.classes.intern(NodeClass{KindId(0), Grade::kPoor, 0});
  built.nodes[11].node_class = poor;
  const FreeCapacityIndex index = built.index();
  EXPECT_EQ(counts_of(index, 0, 8, built.usual), (Counts{3, 3, 3, 2}));
  EXPECT_EQ(counts_of(index, 0, 8, poor), (Counts{0, 0, 0, 1}));
  EXPECT_EQ(index.class_word(poor, index.words(DomainId(3)).first), 0b100U);
}

TEST(FreeCapacityIndex, NamesTheNodesOfACellAsBitsOfItsOwnWords) {
  Built built;
  built.nodes[4].standing.free.gpus = 5;
  const FreeCapacityIndex index = built.index();
  const auto [first, last] = index.words(DomainId(1));
  EXPECT_EQ(last - first, 1U);
  EXPECT_EQ(index.free_word(0, first), 0b111U);
  EXPECT_EQ(index.free_word(5, first), 0b111U);
  EXPECT_EQ(index.free_word(6, first), 0b101U);
  EXPECT_EQ(index.free_word(9, first), 0U) << "beyond the largest node stands a row of zeros";
  EXPECT_EQ(index.node_at(Slot(first * 64 + 1)), NodeId(4));
  EXPECT_EQ(index.slot_of(NodeId(4)), Slot(first * 64 + 1));
  EXPECT_EQ(index.free_at(Slot(first * 64 + 1)).gpus, 5U);
  EXPECT_EQ(index.cell_of(NodeId(4)), DomainId(1));
}

TEST(FreeCapacityIndex, GivesACellOf70NodesTwoWordsAndAnEmptyOneNone) {
  Built built;
  built.nodes.clear();
  for (int i = 0; i < 70; ++i)
    built.nodes.push_back({DomainId(1), built.usual, {kUsualNode, true, false}});
  const FreeCapacityIndex index = built.index();
  EXPECT_EQ(index.words(DomainId(0)).first, index.words(DomainId(0)).last);
  EXPECT_EQ(index.words(DomainId(1)).last - index.words(DomainId(1)).first, 2U);
  EXPECT_EQ(index.free_word(8, 0), ~std::uint64_t{0});
  EXPECT_EQ(index.free_word(8, 1), 0x3fU);
  EXPECT_EQ(counts_of(index, 0, 8), (Counts{0, 70, 0, 0}));
}

TEST(FreeCapacityIndex, NodesThatJoinedOutOfOrderStandInTheirCellInOrderOfTheirIds) {
  Built built;
  built.nodes = {{DomainId(2), built.usual, {kUsualNode, true, false}},
                 {DomainId(0), built.usual, {kUsualNode, true, false}},
                 {DomainId(2), built.usual, {kUsualNode, true, false}}};
  const FreeCapacityIndex index = built.index();
  EXPECT_LT(index.slot_of(NodeId(1)), index.slot_of(NodeId(0)));
  EXPECT_LT(index.slot_of(NodeId(0)), index.slot_of(NodeId(2)));
}

TEST(FreeCapacityIndex, ANodeThatIsNotOfferedCountsNowhereButIsStillBusy) {
  Built built;
  built.nodes[3].standing = {{4, 32, 256}, false, true};
  const FreeCapacityIndex index = built.index();
  EXPECT_EQ(counts_of(index, 0, 0), (Counts{3, 2, 3, 3}));
  EXPECT_EQ(index.busy_nodes(0, DomainId(1)), 1U);
  EXPECT_EQ(index.busy_nodes(1, DomainId(0)), 1U);
  EXPECT_EQ(index.busy_nodes(1, DomainId(1)), 0U);
  EXPECT_EQ(index.busy_nodes(3, DomainId(0)), 1U);
  EXPECT_EQ(index.standing(NodeId(3)), (NodeStanding{{4, 32, 256}, false, true}));
}

TEST(FreeCapacityIndex, MarksOfferedNodesThatLackTheirShareAsLean) {
  Built built;
  FreeCapacityIndex index = built.index();
  EXPECT_EQ(index.lean_nodes(), 0U);
  index.update(NodeId(0), {{4, 31, 512}, true, true});
  index.update(NodeId(1), {{4, 32, 256}, true, true});
  EXPECT_EQ(index.lean_nodes(), 1U);
  EXPECT_EQ(index.lean_nodes(0, DomainId(0)), 1U);
  EXPECT_EQ(index.lean_word(0), 0b1U);
  index.update(NodeId(0), {{4, 31, 512}, false, true});
  EXPECT_EQ(index.lean_nodes(), 0U);
  index.update(NodeId(0), {{4, 31, 512}, true, true});
  EXPECT_EQ(index.lean_nodes(2, DomainId(0)), 1U);
}

TEST(FreeCapacityIndex, CountsNodesWithoutGpusInRowZero) {
  Built built;
  built.classes = {};
  built.usual =
      built.classes.intern(NodeClass{built.classes.intern(NodeKind{"", {0, 64, 512}, {}, {}})});
  for (IndexedNode& node : built.nodes) node.standing.free = {0, 64, 512};
  const FreeCapacityIndex index = built.index();
  EXPECT_EQ(index.max_gpus(), 0U);
  EXPECT_EQ(counts_of(index, 0, 0), (Counts{3, 3, 3, 3}));
  EXPECT_EQ(index.free_word(0, 0), 0b111U);
  EXPECT_EQ(index.free_word(1, 0), 0U);
}

TEST(FreeCapacityIndex, AnUpdateLeavesItAsIfBuiltAnew) {
  Built built;
  FreeCapacityIndex index = built.index();
  for (const NodeStanding& standing :
       {NodeStanding{{3, 64, 512}, true, true}, NodeStanding{{7, 10, 0}, true, true},
        NodeStanding{{7, 10, 0}, false, true}, NodeStanding{{0, 0, 0}, false, false},
        NodeStanding{{0, 0, 0}, true, true}, NodeStanding{kUsualNode, true, false}}) {
    index.update(NodeId(7), standing);
    built.nodes[7].standing = standing;
    EXPECT_EQ(index, built.index());
  }
}

TEST(FreeCapacityIndex, AChangeOfClassLeavesItAsIfBuiltAnew) {
  Built built;
  FreeCapacityIndex index = built.index();
  built.nodes[5].standing = {{2, 64, 512}, true, true};
  index.update(NodeId(5), built.nodes[5].standing);
  const ClassId poor = built.classes.intern(NodeClass{KindId(0), Grade::kPoor, 0});
  built.nodes[5].node_class = poor;
  index.change_class(NodeId(5), poor, built.classes);
  EXPECT_EQ(index, built.index());
  EXPECT_EQ(index.whole_node_gpus(poor), 8U);

  built.nodes[6].standing.offered = false;
  index.update(NodeId(6), built.nodes[6].standing);
  built.nodes[6].node_class = poor;
  index.change_class(NodeId(6), poor, built.classes);
  EXPECT_EQ(index, built.index());
}

TEST(FreeCapacityIndex, KnowsItsTree) {
  const FreeCapacityIndex index = Built().index();
  EXPECT_EQ(index.levels(), 4U);
  EXPECT_EQ(index.depth_of(Level::kUnit), 0U);
  EXPECT_EQ(index.depth_of(Level::kFabric), 2U);
  EXPECT_EQ(index.depth_of(Level::kBlock), index.levels()) << "there are no blocks";
  EXPECT_EQ(index.level(1), Level::kPod);
  EXPECT_EQ(index.domains(0), 4U);
  EXPECT_EQ(index.parent(0, DomainId(2)), DomainId(1));
  EXPECT_TRUE(index.parent(3, DomainId(0)).is_none());
  EXPECT_EQ(index.children(1, DomainId(1)).first, 2U);
  EXPECT_EQ(index.children(1, DomainId(1)).last, 4U);
  EXPECT_EQ(index.ancestor(DomainId(3), 0), DomainId(3));
  EXPECT_EQ(index.ancestor(DomainId(3), 1), DomainId(1));
  EXPECT_EQ(index.ancestor(DomainId(3), 3), DomainId(0));
}

TEST(FreeCapacityIndex, APodWithoutUnitsHasAnEmptyRangeOfChildren) {
  Built built;
  built.tree.levels[1].domains.insert(built.tree.levels[1].domains.begin() + 1,
                                      Domain{DomainId(0), "empty"});
  for (std::size_t unit : {2U, 3U}) built.tree.levels[0].domains[unit].parent = DomainId(2);
  const FreeCapacityIndex index = built.index();
  EXPECT_EQ(index.children(1, DomainId(1)).first, index.children(1, DomainId(1)).last);
  EXPECT_EQ(index.children(1, DomainId(2)).first, 2U);
}

RC_GTEST_PROP(FreeCapacityIndex, AnyUpdatesLeaveItAsIfBuiltAnew, ()) {
  Built built;
  built.classes.intern(NodeClass{KindId(0), Grade::kWatch, 0});
  FreeCapacityIndex index = built.index();
  const int changes = *rc::gen::inRange(1, 40);
  for (int i = 0; i < changes; ++i) {
    const auto which = *rc::gen::inRange<std::uint32_t>(0, 12);
    IndexedNode& node = built.nodes[which];
    if (*rc::gen::inRange(0, 5) == 0) {
      node.node_class = ClassId(*rc::gen::inRange<std::uint32_t>(0, 2));
      index.change_class(NodeId(which), node.node_class, built.classes);
    } else {
      node.standing = {
          {*rc::gen::inRange<std::uint32_t>(0, 9), *rc::gen::inRange<std::uint32_t>(0, 65), 512},
          *rc::gen::arbitrary<bool>(),
          *rc::gen::arbitrary<bool>()};
      index.update(NodeId(which), node.standing);
    }
  }
  RC_ASSERT(index == built.index());
}

}  // namespace
}  // namespace weir::pool
