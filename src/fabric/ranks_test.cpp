#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

Rank rank_called(const SiteView& view, std::string_view name) {
  for (std::size_t v = 0; v < view.graph.vertices.size(); ++v)
    if (view.graph.vertices[v].description == "MF0;" + std::string(name) + ":MQM9700/U1")
      return view.rank_of[v];
  throw std::runtime_error("no switch is called " + std::string(name));
}

TEST(Ranks, CountFromTheComputeLeavesOutward) {
  const SiteView view = analyse(PlantedFabric(small_tree()).snapshot());
  EXPECT_EQ(rank_called(view, "leaf-u1-r0"), Rank(0));
  EXPECT_EQ(rank_called(view, "spine-p2-r3-2"), Rank(1));
  EXPECT_EQ(rank_called(view, "core-1-1"), Rank(2));
  ASSERT_EQ(view.fabrics[0].tiers.size(), 3U);
  EXPECT_EQ(view.fabrics[0].tiers[0].switches, 16U);
  EXPECT_EQ(view.fabrics[0].tiers[0].links_down, 64U);
  EXPECT_EQ(view.fabrics[0].tiers[0].down, Bandwidth(64 * 400'000'000'000ULL));
  EXPECT_EQ(view.fabrics[0].tiers[2].links_up, 0U);
}

TEST(Ranks, StayWhenAnHcaIsPluggedIntoASpine) {
  PlantedFabric planted(small_tree());
  planted.move("node001 mlx5_0", "spine-p1-r0-1");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(rank_called(view, "spine-p1-r0-1"), Rank(1));
  EXPECT_EQ(rank_called(view, "core-1-1"), Rank(2));
  EXPECT_EQ(node_called(view, "node001").unit, DomainId(0));
  EXPECT_EQ(view.pods.size(), 2U);
  EXPECT_EQ(count_oddities(view, OddityKind::kForeignLeaf), 1U);
}

TEST(Ranks, AreNotGivenToSwitchesOfOtherHosts) {
  PlantedFabric planted(small_tree());
  planted.add_switch(0x900, "management");
  planted.add_hca(0x100, "login01 mlx5_0", "management");
  planted.plug(planted.switch_called("management"), planted.switch_called("spine-p1-r0-1"));
  const SiteView view = analyse(planted.snapshot());
  EXPECT_TRUE(rank_called(view, "management").is_none());
  EXPECT_EQ(view.fabrics[0].tiers.size(), 3U);
}

TEST(Ranks, AreNotGivenToALeafWithoutHosts) {
  PlantedFabric planted(small_tree());
  planted.add_switch(0x900, "spare-leaf");
  planted.plug(planted.switch_called("spare-leaf"), planted.switch_called("spine-p1-r0-1"));
  planted.plug(planted.switch_called("spare-leaf"), planted.switch_called("spine-p1-r0-2"));
  const SiteView view = analyse(planted.snapshot());
  EXPECT_TRUE(rank_called(view, "spare-leaf").is_none());
  EXPECT_EQ(rank_called(view, "core-1-1"), Rank(2));
}

TEST(Ranks, NameTheSwitchWithTheWorstOversubscription) {
  PlantedFabric planted(small_tree());
  planted.cut(planted.switch_called("leaf-u2-r1").guid,
              planted.switch_called("spine-p1-r1-1").guid);
  const SiteView view = analyse(planted.snapshot());
  const Tier& leaves = view.fabrics[0].tiers[0];
  EXPECT_EQ(view.graph.at(leaves.worst).description, "MF0;leaf-u2-r1:MQM9700/U1");
  EXPECT_EQ(leaves.worst_down, 1600_Gbps);
  EXPECT_EQ(leaves.worst_up, 1200_Gbps);
}

}  // namespace
}  // namespace weir::fabric
