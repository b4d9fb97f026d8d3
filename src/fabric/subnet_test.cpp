#include "fabric/subnet.hpp"

#include <gtest/gtest.h>

#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::PlantedFabric;
using testing::small_tree;

TEST(Subnet, HoldsSwitchesInTheOrderOfTheirGuidsOnTheWire) {
  const Snapshot graph = generate(small_tree()).value();
  const std::vector<Subnet> subnets = subnets_of(graph).value();
  ASSERT_EQ(subnets.size(), 1U);
  const Subnet& subnet = subnets[0];
  // Last byte first: ...00 and ...100 stand before ...04.
  EXPECT_EQ(subnet.switches[0].guid.value() & 0xffff, 0U);
  EXPECT_EQ(subnet.switches[1].guid.value() & 0xff, 0x04U);
  EXPECT_EQ(subnet.end_ports.size(), 64U);
  EXPECT_EQ(subnet.last_lid, Lid(static_cast<std::uint16_t>(graph.vertices.size())));
  for (std::uint32_t s = 0; s < subnet.switches.size(); ++s)
    EXPECT_EQ(subnet.find(subnet.switches[s].guid), SwitchId(s));
  EXPECT_TRUE(subnet.find(Guid(1)).is_none());
}

TEST(Subnet, GivesEachPlaneItsOwnLids) {
  FatTree plan = small_tree();
  plan.planes = 2;
  const std::vector<Subnet> subnets = subnets_of(generate(plan).value()).value();
  ASSERT_EQ(subnets.size(), 2U);
  for (const Subnet& subnet : subnets) {
    EXPECT_EQ(subnet.end_ports.size(), 32U);
    EXPECT_FALSE(subnet.find(subnet.last_lid).is_none());
  }
}

TEST(Subnet, RefusesPortsWithoutALidOrWithAnothersLid) {
  PlantedFabric without(small_tree());
  without.vertex("node001 mlx5_0").addresses[0].lid = Lid(0);
  const auto none = subnets_of(without.snapshot());
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("node001 mlx5_0"), std::string::npos);

  PlantedFabric twice(small_tree());
  twice.vertex("node001 mlx5_0").addresses[0].lid = twice.vertex("node002 mlx5_0").addresses[0].lid;
  const auto both = subnets_of(twice.snapshot());
  ASSERT_FALSE(both);
  EXPECT_NE(both.error().message.find("node002 mlx5_0"), std::string::npos);
}

}  // namespace
}  // namespace weir::fabric
