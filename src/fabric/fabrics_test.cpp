#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

FatTree planes_of_rails() {
  FatTree plan = small_tree();
  plan.units_per_pod = 4;
  plan.cores_per_spine = 0;
  return plan;
}

TEST(Fabrics, SpanPlanesThatRunSideBySide) {
  const SiteView view = analyse(PlantedFabric(planes_of_rails()).snapshot());
  EXPECT_EQ(view.planes.size(), 4U);
  ASSERT_EQ(view.fabrics.size(), 1U);
  EXPECT_EQ(view.fabrics[0].plane_by_rail.size(), 4U);
  EXPECT_EQ(view.nodes[0].rails, 0b1111);
}

TEST(Fabrics, StayApartWhenNothingJoinsThem) {
  PlantedFabric east(small_tree());
  PlantedFabric west(small_tree());
  west.make_different(0x1'0000'0000);
  for (Vertex& vertex : west.draft().vertices)
    if (vertex.description.starts_with("node")) vertex.description.insert(0, "a");
  std::vector<Snapshot> files;
  files.push_back(east.snapshot());
  files.push_back(west.snapshot());
  const SiteView view = analyse(merge(std::move(files)).value());
  ASSERT_EQ(view.fabrics.size(), 2U);
  EXPECT_EQ(view.pods.size(), 4U);
  EXPECT_EQ(view.units.size(), 8U);
  EXPECT_EQ(view.host_of(view.nodes[0]).name, "anode001");
  const Locality tree = locality(view);
  EXPECT_TRUE(check(tree)) << check(tree).error().message;
  EXPECT_EQ(tree.levels.back().domains.size(), 1U);
}

TEST(Fabrics, StayApartWhenPodsHaveNoCores) {
  FatTree plan = small_tree();
  plan.cores_per_spine = 0;
  const SiteView view = analyse(PlantedFabric(plan).snapshot());
  EXPECT_EQ(view.planes.size(), 8U);
  EXPECT_EQ(view.fabrics.size(), 2U);
}

TEST(Fabrics, StayApartWhenOneRailDoesNotJoinThem) {
  FatTree plan = planes_of_rails();
  PlantedFabric planted(plan);
  // Rail 3 of units 3 and 4 moves to a plane of its own.
  for (const char* unit : {"3", "4"}) {
    const Guid leaf = planted.switch_called("leaf-u" + std::string(unit) + "-r3").guid;
    while (planted.cut(leaf, planted.switch_called("spine-p1-r3-1").guid)) {
    }
    while (planted.cut(leaf, planted.switch_called("spine-p1-r3-2").guid)) {
    }
  }
  planted.plug(planted.switch_called("leaf-u3-r3"), planted.switch_called("leaf-u4-r3"));
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.planes.size(), 5U);
  ASSERT_EQ(view.fabrics.size(), 2U);
  EXPECT_EQ(node_called(view, "node001").rails, 0b1111);
  EXPECT_EQ(node_called(view, "node016").rails, 0b1111);
}

TEST(Fabrics, StayApartWhenAUnitIsCutOffOnMostRails) {
  PlantedFabric planted(small_tree());
  for (int rail = 0; rail < 3; ++rail) {
    const std::string end = "r" + std::to_string(rail);
    const Guid leaf = planted.switch_called("leaf-u1-" + end).guid;
    for (const char* spine : {"-1", "-2"})
      while (planted.cut(leaf, planted.switch_called("spine-p1-" + end + spine).guid)) {
      }
  }
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.nodes.size(), 16U);
  EXPECT_EQ(view.fabrics.size(), 2U);
}

TEST(Fabrics, KeepALoneNodeWithTwoRailsSwappedButNotThoseRails) {
  PlantedFabric planted(planes_of_rails());
  planted.move("node006 mlx5_2", "leaf-u2-r3");
  planted.move("node006 mlx5_3", "leaf-u2-r2");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.fabrics.size(), 1U);
  EXPECT_EQ(node_called(view, "node006").rails, 0b0011);
  EXPECT_EQ(node_called(view, "node006").unit, DomainId(1));
  EXPECT_EQ(count_oddities(view, OddityKind::kOffPlane), 2U);
}

TEST(Fabrics, AreTheSameWhateverTheOrderOfTheInput) {
  PlantedFabric planted(small_tree());
  planted.lose("node006 mlx5_2");
  planted.move("node009 mlx5_0", "leaf-u1-r1");
  const SiteView view = analyse(planted.snapshot());
  std::ranges::reverse(planted.draft().vertices);
  std::ranges::reverse(planted.draft().ends);
  const SiteView again = analyse(planted.snapshot());
  EXPECT_EQ(locality(view), locality(again));
  EXPECT_EQ(pool_nodes(view, {}), pool_nodes(again, {}));
  EXPECT_EQ(view.oddities, again.oddities);
}

}  // namespace
}  // namespace weir::fabric
