#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

void set_rate(PlantedFabric& planted, Guid a, Guid b, LinkRate rate) {
  for (CableEnd& end : planted.draft().ends)
    if ((end.vertex == a && end.peer == b) || (end.vertex == b && end.peer == a)) end.rate = rate;
}

TEST(Checks, ReportALinkSlowerThanItsLike) {
  PlantedFabric planted(small_tree());
  const LinkRate one_lane{LinkWidth::k1x, LinkSpeed::kNdr};
  set_rate(planted, planted.vertex("node001 mlx5_0").guid, planted.switch_called("leaf-u1-r0").guid,
           one_lane);
  planted.cut(planted.switch_called("leaf-u2-r0").guid,
              planted.switch_called("spine-p1-r0-1").guid);
  set_rate(planted, planted.switch_called("leaf-u2-r0").guid,
           planted.switch_called("spine-p1-r0-1").guid, one_lane);
  const SiteView view = analyse(planted.snapshot());
  EXPECT_EQ(count_oddities(view, OddityKind::kSlowLink), 2U);
}

TEST(Checks, ReportALidThatTwoPortsHold) {
  PlantedFabric planted(small_tree());
  planted.vertex("node001 mlx5_0").addresses[0].lid =
      planted.vertex("node002 mlx5_0").addresses[0].lid;
  EXPECT_EQ(count_oddities(analyse(planted.snapshot()), OddityKind::kDuplicateLid), 1U);
}

TEST(Checks, AllowTheSameLidInTwoPlanes) {
  FatTree plan = small_tree();
  plan.cores_per_spine = 0;
  PlantedFabric planted(plan);
  planted.vertex("node001 mlx5_0").addresses[0].lid =
      planted.vertex("node001 mlx5_1").addresses[0].lid;
  EXPECT_EQ(count_oddities(analyse(planted.snapshot()), OddityKind::kDuplicateLid), 0U);
}

TEST(Checks, ReportSwitchesWithOneName) {
  PlantedFabric planted(small_tree());
  planted.switch_called("leaf-u1-r0").description = "switch";
  planted.switch_called("leaf-u1-r1").description = "switch";
  EXPECT_EQ(count_oddities(analyse(planted.snapshot()), OddityKind::kDuplicateSwitch), 1U);
}

}  // namespace
}  // namespace weir::fabric
