#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

TEST(Units, HoldNodesWithTheSameLeaves) {
  const SiteView view = analyse(PlantedFabric(small_tree()).snapshot());
  ASSERT_EQ(view.units.size(), 4U);
  for (const Unit& unit : view.units) {
    EXPECT_EQ(unit.node_count, 4U);
    EXPECT_EQ(unit.leaves.size(), 4U);
  }
}

TEST(Units, KeepANodeWhoseCableIsCut) {
  PlantedFabric planted(small_tree());
  planted.lose("node006 mlx5_2");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.units.size(), 4U);
  EXPECT_EQ(view.nodes.size(), 16U);
  const ComputeNode& node = node_called(view, "node006");
  EXPECT_EQ(node.unit, DomainId(1));
  EXPECT_EQ(node.rails, 0b1011);
  EXPECT_EQ(node.hca_by_rail[2], Guid(0));
  EXPECT_EQ(count_oddities(view, OddityKind::kMissingHca), 1U);
}

TEST(Units, KeepTheirNodesWhenEachOneHasAnotherCableCut) {
  PlantedFabric planted(small_tree());
  planted.lose("node005 mlx5_0");
  planted.lose("node006 mlx5_1");
  planted.lose("node007 mlx5_2");
  planted.lose("node008 mlx5_3");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.units.size(), 4U);
  for (const char* name : {"node005", "node006", "node007", "node008"})
    EXPECT_EQ(node_called(view, name).unit, DomainId(1)) << name;
}

TEST(Units, KeepANodeWithOneHcaOnAForeignLeaf) {
  PlantedFabric planted(small_tree());
  planted.move("node006 mlx5_2", "leaf-u1-r2");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.units.size(), 4U);
  EXPECT_EQ(node_called(view, "node006").unit, DomainId(1));
  EXPECT_EQ(view.units[0].leaves.size(), 4U);
  EXPECT_EQ(count_oddities(view, OddityKind::kForeignLeaf), 1U);
}

TEST(Units, KeepANodeOfTwoRailsWithOneCableLeft) {
  FatTree plan = small_tree();
  plan.rails = 2;
  PlantedFabric planted(plan);
  planted.lose("node006 mlx5_1");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.nodes.size(), 16U);
  EXPECT_EQ(node_called(view, "node006").unit, DomainId(1));
  EXPECT_EQ(node_called(view, "node006").rails, 0b01);
}

TEST(Units, StayApartWhenTheyShareHalfOfTheirLeaves) {
  PlantedFabric planted(small_tree());
  for (const char* node : {"node005", "node006", "node007", "node008"}) {
    planted.move(std::string(node) + " mlx5_0", "leaf-u1-r0");
    planted.move(std::string(node) + " mlx5_1", "leaf-u1-r1");
  }
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.units.size(), 4U);
  EXPECT_EQ(node_called(view, "node005").unit, DomainId(1));
}

TEST(Units, NumberNodesInNaturalOrderOfTheirNames) {
  PlantedFabric planted(small_tree());
  for (int rail = 0; rail < 4; ++rail) {
    planted.vertex("node003 mlx5_" + std::to_string(rail)).description =
        "node20 mlx5_" + std::to_string(rail);
    planted.vertex("node004 mlx5_" + std::to_string(rail)).description =
        "node9 mlx5_" + std::to_string(rail);
  }
  const SiteView view = analyse(planted.snapshot());
  std::vector<std::string> names;
  for (std::size_t n = 0; n < 4; ++n) names.push_back(view.host_of(view.nodes[n]).name);
  EXPECT_EQ(names, (std::vector<std::string>{"node001", "node002", "node9", "node20"}));
}

}  // namespace
}  // namespace weir::fabric
