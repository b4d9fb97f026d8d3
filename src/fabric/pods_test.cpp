#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

TEST(Pods, HoldUnitsUnderTheSameSpines) {
  const SiteView view = analyse(PlantedFabric(small_tree()).snapshot());
  ASSERT_EQ(view.pods.size(), 2U);
  EXPECT_EQ(view.pods[0].spines.size(), 8U);
  EXPECT_EQ(view.units[1].pod, DomainId(0));
  EXPECT_EQ(view.units[2].pod, DomainId(1));
}

TEST(Pods, AreNotMergedByAStrayCable) {
  PlantedFabric planted(small_tree());
  planted.plug(planted.switch_called("leaf-u1-r0"), planted.switch_called("spine-p2-r0-1"));
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.pods.size(), 2U);
  EXPECT_EQ(view.units[0].pod, DomainId(0));
  EXPECT_EQ(view.units[2].pod, DomainId(1));
  ASSERT_EQ(count_oddities(view, OddityKind::kStrayCable), 1U);
}

TEST(Pods, KeepAUnitThatLostMostOfItsUplinks) {
  PlantedFabric planted(small_tree());
  for (int rail = 0; rail < 4; ++rail) {
    const std::string end = "r" + std::to_string(rail);
    const Guid leaf = planted.switch_called("leaf-u1-" + end).guid;
    while (planted.cut(leaf, planted.switch_called("spine-p1-" + end + "-1").guid)) {
    }
    EXPECT_TRUE(planted.cut(leaf, planted.switch_called("spine-p1-" + end + "-2").guid));
  }
  const SiteView view = analyse(planted.snapshot());
  ASSERT_EQ(view.units.size(), 4U);
  EXPECT_EQ(view.pods.size(), 2U);
  EXPECT_EQ(node_called(view, "node001").unit, DomainId(0));
  EXPECT_EQ(view.units[0].pod, view.units[1].pod);
}

TEST(Pods, AreOneForLeavesThatNoSpineJoins) {
  FatTree plan = small_tree();
  plan.nodes = 8;
  PlantedFabric planted(plan);
  std::vector<Guid> above;
  for (const Vertex& vertex : planted.draft().vertices)
    if (vertex.description.find("spine") != std::string::npos ||
        vertex.description.find("core") != std::string::npos)
      above.push_back(vertex.guid);
  for (const Guid guid : above) planted.unplug(guid);
  std::erase_if(planted.draft().vertices, [&](const Vertex& vertex) {
    return std::ranges::find(above, vertex.guid) != above.end();
  });
  for (int rail = 0; rail < 4; ++rail)
    planted.plug(planted.switch_called("leaf-u1-r" + std::to_string(rail)),
                 planted.switch_called("leaf-u2-r" + std::to_string(rail)));
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.units.size(), 2U);
  EXPECT_EQ(view.pods.size(), 1U);
  EXPECT_EQ(view.fabrics.size(), 1U);
}

}  // namespace
}  // namespace weir::fabric
