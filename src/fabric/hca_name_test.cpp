#include "fabric/hca_name.hpp"

#include <gtest/gtest.h>

namespace weir::fabric {
namespace {

TEST(HcaName, ReadsHostAndDeviceWhateverTheDriver) {
  const auto name = parse_hca_name("luna-0001 mlx5_10");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->host, "luna-0001");
  EXPECT_EQ(name->device.number, 10U);
  EXPECT_EQ(parse_hca_name("n1 mlx4_0")->device.number, 0U);
  EXPECT_EQ(parse_hca_name("n1 hfi1_1")->device.number, 1U);
}

TEST(HcaName, CountsHcaFromOneAndDevicesFromZero) {
  EXPECT_EQ(parse_hca_name("login HCA-2")->device, parse_hca_name("login mlx5_1")->device);
  EXPECT_NE(parse_hca_name("login HCA-2")->device, parse_hca_name("login mlx5_2")->device);
}

TEST(HcaName, IgnoresBlanksAtTheEnds) {
  const auto name = parse_hca_name("  selene-cache-02 mlx5_1 ");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->host, "selene-cache-02");
  EXPECT_EQ(name->device.text, "mlx5_1");
}

TEST(HcaName, TellsDevicesWithoutNumberApartByTheirText) {
  const auto a = parse_hca_name("n1 ibp12s0")->device;
  const auto b = parse_hca_name("n1 ibp12s0f1")->device;
  const auto c = parse_hca_name("n1 mlx5_bond_0")->device;
  EXPECT_NE(a, b);
  EXPECT_NE(c, parse_hca_name("n1 mlx5_0")->device);
  EXPECT_LT(parse_hca_name("n1 ibp9s0")->device, a);
}

TEST(HcaName, TakesNoFactoryTextForAName) {
  for (const char* text :
       {"", "   ", "MT4129 ConnectX7   Mellanox Technologies", "gpu001", "Aggregation Node",
        "host HCA-0", "host HCA-", "host HCA-x", "host mlx5_0 more", "MT25408 ConnectX"})
    EXPECT_FALSE(parse_hca_name(text)) << text;
}

TEST(HcaName, KnowsNamesThatInstallersLeaveBehind) {
  for (const char* host : {"localhost", "localhost.localdomain", "ubuntu", "Ubuntu", "(none)"})
    EXPECT_TRUE(is_placeholder_host(host)) << host;
  for (const char* host : {"luna-0001", "ubuntu01", "localhost1", "none"})
    EXPECT_FALSE(is_placeholder_host(host)) << host;
}

TEST(HcaName, KnowsTheAggregationNodesOfSwitches) {
  EXPECT_TRUE(is_aggregation_node(0xcf09, "renamed"));
  EXPECT_TRUE(is_aggregation_node(0, "Mellanox Technologies Aggregation Node "));
  EXPECT_FALSE(is_aggregation_node(0x101b, "luna-0001 mlx5_0"));
}

}  // namespace
}  // namespace weir::fabric
