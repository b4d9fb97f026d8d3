#include "fabric/generator.hpp"

#include <gtest/gtest.h>

#include "fabric/site_view.hpp"

namespace weir::fabric {
namespace {

TEST(Generator, MakesTheDemoFabricWithoutGapsOrOddities) {
  const SiteView view = analyse(generate(FatTree{}).value());
  EXPECT_TRUE(view.graph.complete());
  EXPECT_EQ(view.nodes.size(), 128U);
  EXPECT_EQ(view.units.size(), 4U);
  EXPECT_EQ(view.pods.size(), 2U);
  ASSERT_EQ(view.fabrics.size(), 1U);
  EXPECT_EQ(view.planes.size(), 1U);
  EXPECT_TRUE(view.oddities.empty());
  ASSERT_EQ(view.fabrics[0].tiers.size(), 3U);
  for (std::size_t rank = 0; rank < 2; ++rank)
    EXPECT_EQ(view.fabrics[0].tiers[rank].down, view.fabrics[0].tiers[rank].up);
  for (const Vertex& vertex : view.graph.vertices) {
    if (vertex.kind == VertexKind::kSwitch) {
      EXPECT_EQ(vertex.port_count, 64);
    }
  }
}

TEST(Generator, NumbersNodesSoThatTheirNamesSortByUnit) {
  const SiteView view = analyse(generate(FatTree{}).value());
  EXPECT_EQ(view.host_of(view.nodes.front()).name, "node001");
  EXPECT_EQ(view.host_of(view.nodes[32]).name, "node033");
  EXPECT_EQ(view.nodes[32].unit, DomainId(1));
  EXPECT_EQ(view.nodes[32].rails, 0xff);
}

TEST(Generator, ScalesToAThousandNodes) {
  struct Size {
    std::uint32_t nodes, units, pods;
  };
  for (const Size size : {Size{1, 1, 1}, Size{100, 4, 2}, Size{1'024, 32, 4}}) {
    const SiteView view = analyse(generate(fat_tree_of(size.nodes)).value());
    EXPECT_EQ(view.nodes.size(), size.nodes);
    EXPECT_EQ(view.units.size(), size.units) << size.nodes;
    EXPECT_EQ(view.pods.size(), size.pods) << size.nodes;
    EXPECT_TRUE(view.oddities.empty());
  }
}

TEST(Generator, MakesAPlaneOfEachRailWithoutCores) {
  FatTree plan;
  plan.nodes = 16;
  plan.nodes_per_unit = 4;
  plan.units_per_pod = 4;
  plan.rails = 4;
  plan.cores_per_spine = 0;
  const SiteView view = analyse(generate(plan).value());
  EXPECT_EQ(view.planes.size(), 4U);
  EXPECT_EQ(view.fabrics.size(), 1U);
  EXPECT_EQ(view.units.size(), 4U);
  EXPECT_EQ(view.pods.size(), 1U);
  EXPECT_TRUE(view.oddities.empty());
}

TEST(Generator, RefusesTreesThatCannotBeBuilt) {
  const auto refused = [](auto change) {
    FatTree plan;
    change(plan);
    return !generate(plan);
  };
  EXPECT_TRUE(refused([](FatTree& plan) { plan.nodes = 0; }));
  EXPECT_TRUE(refused([](FatTree& plan) { plan.rails = 17; }));
  EXPECT_TRUE(refused([](FatTree& plan) { plan.leaf_uplinks = 31; }));
  EXPECT_TRUE(refused([](FatTree& plan) { plan.spine_uplinks = 30; }));
  EXPECT_TRUE(refused([](FatTree& plan) { plan.nodes_per_unit = 250; }));
  EXPECT_TRUE(refused([](FatTree& plan) { plan = fat_tree_of(16'384); }));
}

}  // namespace
}  // namespace weir::fabric
