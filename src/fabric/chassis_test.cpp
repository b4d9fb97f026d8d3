#include <gtest/gtest.h>

#include "fabric/site_view.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::count_oddities;
using testing::node_called;
using testing::PlantedFabric;
using testing::small_tree;

TEST(Chassis, HoldsSwitchesWithOneSystemImage) {
  PlantedFabric planted(small_tree());
  planted.switch_called("core-1-1").system_image = Guid(7);
  planted.switch_called("core-1-2").system_image = Guid(7);
  const SiteView view = analyse(planted.snapshot());
  ASSERT_EQ(view.chassis.size(), 1U);
  EXPECT_EQ(view.chassis[0].switches.size(), 2U);
}

TEST(Chassis, HoldsSwitchesThatGroupingNumberedAlike) {
  PlantedFabric planted(small_tree());
  for (const char* name : {"core-1-1", "core-1-2", "core-2-1"})
    planted.switch_called(name).chassis = 1;
  EXPECT_EQ(analyse(planted.snapshot()).chassis.at(0).switches.size(), 3U);
}

TEST(Chassis, HoldsModulesOfOneDirectorByName) {
  PlantedFabric planted(small_tree());
  planted.switch_called("core-1-1").description = "MF0;big-1:CS8500/L01/U1";
  planted.switch_called("core-1-2").description = "MF0;big-1:CS8500/S02/U1";
  const SiteView view = analyse(planted.snapshot());
  ASSERT_EQ(view.chassis.size(), 1U);
  EXPECT_EQ(view.chassis[0].name, "big-1");
}

TEST(Chassis, IsNotMadeOfSingleSwitchesWithOneName) {
  PlantedFabric planted(small_tree());
  planted.switch_called("core-1-1").description = "MF0;switch:MQM9700/U1";
  planted.switch_called("core-1-2").description = "MF0;switch:MQM9700/U1";
  EXPECT_TRUE(analyse(planted.snapshot()).chassis.empty());
}

}  // namespace
}  // namespace weir::fabric
