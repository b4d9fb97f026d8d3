#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

TEST(Hosts, JoinNoHcasThatShareHostAndDevice) {
  PlantedFabric planted(small_tree());
  planted.vertex("node002 mlx5_0").description = "node001 mlx5_0 ";
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(count_oddities(view, OddityKind::kDuplicateName), 2U);
  EXPECT_EQ(node_called(view, "node001").rails, 0b1110);
  EXPECT_EQ(node_called(view, "node002").rails, 0b1110);
}

TEST(Hosts, AreNotJoinedByFactoryOrInstallerNames) {
  PlantedFabric planted(small_tree());
  for (int rail = 0; rail < 4; ++rail) {
    planted.vertex("node001 mlx5_" + std::to_string(rail)).description =
        "MT4129 ConnectX7   Mellanox Technologies";
    planted.vertex("node002 mlx5_" + std::to_string(rail)).description =
        "localhost mlx5_" + std::to_string(rail);
  }
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(view.hosts.size(), 14U);
  EXPECT_EQ(count_oddities(view, OddityKind::kFactoryName), 4U);
  EXPECT_EQ(count_oddities(view, OddityKind::kPlaceholderHost), 4U);
}

TEST(Hosts, KeepTheirPlaceWhenSwitchesAreRenamed) {
  PlantedFabric planted(small_tree());
  const Locality before = locality(analyse(planted.snapshot()));
  for (Vertex& vertex : planted.draft().vertices)
    if (vertex.kind == VertexKind::kSwitch) vertex.description = "Quantum Mellanox Technologies";
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(locality(view), before);
  EXPECT_EQ(count_oddities(view, OddityKind::kDuplicateSwitch), 1U);
}

}  // namespace
}  // namespace weir::fabric
