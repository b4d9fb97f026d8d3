#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

// Sixteen nodes on four planes of one rail each, and storage of `servers` on a plane of its own
// with `hcas` HCAs of every node.
PlantedFabric with_storage(unsigned hcas, unsigned servers) {
  FatTree plan = small_tree();
  plan.units_per_pod = 4;
  plan.cores_per_spine = 0;
  PlantedFabric planted(plan);
  planted.add_switch(0x900, "storage-a");
  planted.add_switch(0x901, "storage-b");
  planted.plug(planted.switch_called("storage-a"), planted.switch_called("storage-b"));
  std::uint64_t guid = 0x100;
  for (unsigned node = 1; node <= 16; ++node)
    for (unsigned hca = 0; hca < hcas; ++hca)
      planted.add_hca(guid++,
                      "node0" + std::to_string(node / 10) + std::to_string(node % 10) + " mlx5_" +
                          std::to_string(20 + hca),
                      "storage-a");
  for (unsigned server = 0; server < servers; ++server)
    planted.add_hca(guid++, "nfs" + std::to_string(server) + " mlx5_0", "storage-b");
  return planted;
}

TEST(Planes, AreOneForEachSetOfJoinedSwitches) {
  const SiteView view = analyse(with_storage(2, 4).snapshot());
  ASSERT_EQ(view.planes.size(), 5U);
  EXPECT_EQ(view.planes[0].hcas, 36U);
}

TEST(Planes, OfStorageCarryNoRailsWhenNodesHaveMoreHcasElsewhere) {
  const SiteView view = analyse(with_storage(2, 4).snapshot());
  EXPECT_FALSE(view.planes[0].compute);
  EXPECT_EQ(view.nodes.size(), 16U);
  EXPECT_EQ(view.fabrics[0].plane_by_rail.size(), 4U);
  EXPECT_EQ(view.nodes[0].rails, 0b1111);
  EXPECT_TRUE(view.oddities.empty());
}

TEST(Planes, OfStorageCarryNoRailsWhenTheyServeOtherHosts) {
  const SiteView view = analyse(with_storage(1, 8).snapshot());
  EXPECT_EQ(view.fabrics[0].plane_by_rail.size(), 4U);
  EXPECT_EQ(view.nodes.size(), 16U);
}

TEST(Planes, AreNotJoinedByRouters) {
  FatTree plan = small_tree();
  plan.cores_per_spine = 0;
  PlantedFabric planted(plan);
  Vertex router;
  router.guid = Guid(0x500);
  router.kind = VertexKind::kRouter;
  router.port_count = 8;
  router.description = "router";
  planted.draft().vertices.push_back(router);
  planted.plug(planted.vertex("router"), planted.switch_called("spine-p1-r0-1"));
  planted.plug(planted.vertex("router"), planted.switch_called("spine-p2-r0-1"));
  EXPECT_EQ(analyse(planted.snapshot()).planes.size(), 8U);
}

TEST(Planes, KnowTheirUsualRate) {
  const SiteView view = analyse(PlantedFabric(small_tree()).snapshot());
  EXPECT_EQ(view.planes[0].usual_rate, (LinkRate{LinkWidth::k4x, LinkSpeed::kNdr}));
}

}  // namespace
}  // namespace weir::fabric
