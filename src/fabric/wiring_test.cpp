#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

TEST(Wiring, ReportsTwoHcasWhoseRailsAreSwapped) {
  PlantedFabric planted(small_tree());
  planted.move("node006 mlx5_2", "leaf-u2-r3");
  planted.move("node006 mlx5_3", "leaf-u2-r2");
  const SiteView view = analyse(planted.snapshot());
  ASSERT_EQ(count_oddities(view, OddityKind::kMiswired), 2U);
  EXPECT_EQ(node_called(view, "node006").unit, DomainId(1));
  EXPECT_EQ(view.oddities[0].subject, "node006 mlx5_2");
  EXPECT_NE(view.oddities[0].detail.find("rail 2"), std::string::npos);
}

TEST(Wiring, IsNotJudgedWhereALeafServesAllRails) {
  PlantedFabric planted(small_tree());
  for (int node = 1; node <= 4; ++node)
    for (int rail = 1; rail < 4; ++rail)
      planted.move("node00" + std::to_string(node) + " mlx5_" + std::to_string(rail), "leaf-u1-r0");
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(count_oddities(view, OddityKind::kMiswired), 0U);
  EXPECT_EQ(view.units.size(), 4U);
}

}  // namespace
}  // namespace weir::fabric
