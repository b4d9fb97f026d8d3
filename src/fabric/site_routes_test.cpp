#include "fabric/site_routes.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "fabric/fat_tree_rules.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::PlantedFabric;
using testing::small_tree;

std::vector<NodeId> first_nodes(std::uint32_t count) {
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < count; ++n) nodes.emplace_back(n);
  return nodes;
}

TEST(SiteRoutes, StayOnOneLeafInsideAUnit) {
  const SiteView view = analyse(generate(small_tree()).value());
  const SiteRoutes routes = SiteRoutes::compute(view, {}).value();
  const std::vector<RingLoad> rings = routes.ring(first_nodes(4)).value();
  for (const RingLoad& ring : rings) {
    EXPECT_EQ(ring.routes, 4U);
    EXPECT_EQ(ring.over_spines, 0U);
    EXPECT_FALSE(ring.busiest);
  }
}

TEST(SiteRoutes, CrossSpinesOnceForEachUnitWhenRanksAreInOrder) {
  const SiteView view = analyse(generate(small_tree()).value());
  const SiteRoutes routes = SiteRoutes::compute(view, {}).value();
  const std::vector<RingLoad> rings = routes.ring(first_nodes(16)).value();
  ASSERT_EQ(rings.size(), 4U);
  for (const RingLoad& ring : rings) {
    EXPECT_EQ(ring.over_spines, 4U);
    ASSERT_TRUE(ring.busiest);
    EXPECT_EQ(ring.busiest->routes, 1U);
  }
  // Ranks dealt out over the units: every step crosses, and cables are shared.
  std::vector<NodeId> dealt;
  for (std::uint32_t i = 0; i < 4; ++i)
    for (std::uint32_t unit = 0; unit < 4; ++unit) dealt.emplace_back(unit * 4 + i);
  const std::vector<RingLoad> spread = routes.ring(dealt).value();
  for (const RingLoad& ring : spread) EXPECT_EQ(ring.over_spines, 16U);
}

TEST(SiteRoutes, GoOverThePlaneOfEachRail) {
  FatTreeWish wish;
  wish.nodes = 96;
  wish.rails = 4;
  wish.planes = 4;
  const SiteView view = analyse(generate(plan_fat_tree(wish).value()).value());
  const SiteRoutes routes = SiteRoutes::compute(view, {}).value();
  for (std::uint8_t rail = 0; rail < 4; ++rail) {
    const Route route = routes.route(NodeId(0), NodeId(95), RailNumber(rail)).value();
    EXPECT_EQ(route.size(), 4U);
    for (const Channel channel : route)
      if (const PlaneId plane = view.plane_of[receiver(view.graph, channel).vertex.index()];
          !plane.is_none()) {
        EXPECT_EQ(plane, view.fabrics[0].plane_by_rail[rail]);
      }
  }
}

TEST(SiteRoutes, LeaveOutRailsThatANodeLacks) {
  PlantedFabric fabric(small_tree());
  fabric.lose("node001 mlx5_2");
  const SiteView view = analyse(fabric.snapshot());
  const SiteRoutes routes = SiteRoutes::compute(view, {}).value();
  EXPECT_EQ(routes.ring(first_nodes(8))->size(), 3U);
  const auto lacking = routes.route(NodeId(0), NodeId(1), RailNumber(2));
  ASSERT_FALSE(lacking);
  EXPECT_NE(lacking.error().message.find("not linked on rail 2"), std::string::npos);
}

TEST(SiteRoutes, SeeThatTablesAreOfAnotherTime) {
  const SiteView view = analyse(generate(small_tree()).value());
  const Subnet subnet = subnets_of(view.graph).value().at(0);
  ForwardingTables tables = compute_tables(subnet, {}).value();
  EXPECT_TRUE(SiteRoutes::from_tables(view, tables));
  for (ForwardingTable& table : tables.switches)
    std::ranges::rotate(table.out_port, table.out_port.begin() + 1);
  const auto stale = SiteRoutes::from_tables(view, tables);
  ASSERT_FALSE(stale);
  EXPECT_NE(stale.error().message.find("different times"), std::string::npos);
}

}  // namespace
}  // namespace weir::fabric
