#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

TEST(ComputeHosts, AreThoseWithTheUsualNumberOfHcas) {
  PlantedFabric planted(small_tree());
  planted.add_hca(0x100, "login01 mlx5_1", "leaf-u1-r1");
  planted.add_hca(0x101, "storage01 mlx5_0", "leaf-u1-r0");
  planted.add_hca(0x102, "storage01 mlx5_1", "leaf-u1-r1");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.hosts.size(), 18U);
  EXPECT_EQ(view.nodes.size(), 16U);
}

TEST(ComputeHosts, MayLackOneHcaOfFour) {
  PlantedFabric planted(small_tree());
  planted.lose("node001 mlx5_0");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.nodes.size(), 16U);
  EXPECT_EQ(node_called(view, "node001").rails, 0b1110);
}

TEST(ComputeHosts, MayHaveAnHcaWithoutCable) {
  PlantedFabric planted(small_tree());
  planted.unplug(planted.vertex("node001 mlx5_3").guid);
  const SiteView view = analyse(planted.snapshot());
  const ComputeNode& node = node_called(view, "node001");
  EXPECT_EQ(node.rails, 0b0111);
  EXPECT_NE(node.hca_by_rail[3], Guid(0));
  EXPECT_EQ(count_oddities(view, OddityKind::kUnlinkedHca), 1U);
}

TEST(ComputeHosts, KeepAFurtherHcaOutOfTheRails) {
  PlantedFabric planted(small_tree());
  planted.add_hca(0x100, "node001 mlx5_7", "leaf-u1-r0");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(node_called(view, "node001").rails, 0b1111);
  EXPECT_EQ(view.fabrics[0].plane_by_rail.size(), 4U);
  EXPECT_EQ(count_oddities(view, OddityKind::kExtraHca), 1U);
}

TEST(ComputeHosts, NumberRailsByTheOrderOfTheUsualDevices) {
  PlantedFabric planted(small_tree());
  for (Vertex& vertex : planted.draft().vertices)
    if (vertex.description.ends_with("mlx5_3"))
      vertex.description.replace(vertex.description.size() - 6, 6, "HCA-11");
  const SiteView view = analyse(planted.snapshot());
  ASSERT_EQ(view.fabrics[0].usual_devices.size(), 4U);
  EXPECT_EQ(view.fabrics[0].usual_devices[3].number, 10U);
  EXPECT_EQ(view.nodes[0].rails, 0b1111);
}

TEST(ComputeHosts, MayBeOfSeveralKindsWithTheSameNumberOfHcas) {
  PlantedFabric planted(small_tree());
  for (Vertex& vertex : planted.draft().vertices)
    if (vertex.description.starts_with("node01") && vertex.kind == VertexKind::kHca)
      vertex.description.replace(vertex.description.size() - 1, 1,
                                 std::to_string((vertex.description.back() - '0') * 2 + 4));
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.nodes.size(), 16U);
  EXPECT_EQ(count_oddities(view, OddityKind::kMissingHca), 0U);
  EXPECT_EQ(count_oddities(view, OddityKind::kMiswired), 0U);
}

TEST(ComputeHosts, AreNotStorageServersWithAsManyHcasWhenTheyHaveTwo) {
  FatTree plan = small_tree();
  plan.rails = 2;
  PlantedFabric planted(plan);
  for (std::uint64_t i = 0; i < 4; ++i) {
    planted.add_hca(0x100 + i, "ai400x-" + std::to_string(i) + " mlx5_4", "leaf-u1-r0");
    planted.add_hca(0x200 + i, "ai400x-" + std::to_string(i) + " mlx5_5", "leaf-u1-r0");
  }
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.nodes.size(), 16U);
  EXPECT_EQ(view.hosts.size(), 20U);
}

TEST(ComputeHosts, OfASecondFabricMayHaveAnotherNumberOfHcas) {
  FatTree wide = small_tree();
  wide.rails = 8;
  PlantedFabric other(wide);
  other.make_different(0x1'0000'0000);
  for (Vertex& vertex : other.draft().vertices)
    if (vertex.description.starts_with("node")) vertex.description.insert(0, "b");
  std::vector<Snapshot> files;
  files.push_back(PlantedFabric(small_tree()).snapshot());
  files.push_back(other.snapshot());
  const SiteView view = analyse(merge(std::move(files)).value());
  EXPECT_EQ(view.nodes.size(), 32U);
  EXPECT_EQ(node_called(view, "node001").rails, 0x0f);
  EXPECT_EQ(node_called(view, "bnode001").rails, 0xff);
  EXPECT_EQ(count_oddities(view, OddityKind::kOtherCount), 1U);
}

TEST(ComputeHosts, AreNoneInAnEmptyFabric) {
  const SiteView view = analyse(assemble({}));
  EXPECT_TRUE(view.nodes.empty());
  EXPECT_EQ(locality(view), flat_locality());
}

}  // namespace
}  // namespace weir::fabric
