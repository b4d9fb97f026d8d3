#include "formats/lfts_writer.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "fabric/generator.hpp"
#include "fabric/routing.hpp"

namespace weir {
namespace {

fabric::FatTree two_leaves() {
  fabric::FatTree plan;
  plan.nodes = 4;
  plan.rails = 1;
  plan.nodes_per_unit = 2;
  plan.spines_per_rail = 1;
  plan.leaf_uplinks = 2;
  plan.cores_per_spine = 0;
  return plan;
}

TEST(LftsWriter, WritesWhatOpensmDumpsForThisFabric) {
  const fabric::Snapshot graph = fabric::generate(two_leaves()).value();
  const fabric::Subnet subnet = fabric::subnets_of(graph).value().at(0);
  const std::string text = write_lfts(graph, subnet, fabric::compute_tables(subnet, {}).value());
  EXPECT_TRUE(text.starts_with(
      "Unicast lids [0-7] of switch Lid 1 guid 0x0200574549800000 ('MF0;leaf-u1-r0:MQM9700/U1'):\n"
      "0x0001 000 # Switch portguid 0x0200574549800000: 'MF0;leaf-u1-r0:MQM9700/U1'\n"
      "0x0002 003 # Switch portguid 0x0200574549800004: 'MF0;leaf-u2-r0:MQM9700/U1'\n"
      "0x0003 004 # Switch portguid 0x0200574549800008: 'MF0;spine-p1-r0-1:MQM9700/U1'\n"
      "0x0004 001 # Channel Adapter portguid 0x0200574549100001: 'node001 mlx5_0'\n"
      "0x0005 002 # Channel Adapter portguid 0x0200574549100005: 'node002 mlx5_0'\n"
      "0x0006 003 # Channel Adapter portguid 0x0200574549100009: 'node003 mlx5_0'\n"
      "0x0007 004 # Channel Adapter portguid 0x020057454910000d: 'node004 mlx5_0'\n"
      "7 lids dumped\n"
      "Unicast lids [0-7] of switch Lid 2 "))
      << text;
  EXPECT_EQ(split(text, '\n').size(), 3U * 9U + 1U);
}

TEST(LftsWriter, LeavesOutWhatHasNoRouteOrNoTable) {
  const fabric::Snapshot graph = fabric::generate(two_leaves()).value();
  const fabric::Subnet subnet = fabric::subnets_of(graph).value().at(0);
  fabric::ForwardingTables tables = fabric::compute_tables(subnet, {}).value();
  tables.switches.resize(1);
  tables.switches[0].out_port[4] = fabric::kNoRoute;
  const std::string text = write_lfts(graph, subnet, tables);
  EXPECT_EQ(text.find("0x0004"), std::string::npos);
  EXPECT_EQ(split(text, '\n').size(), 8U + 1U);
}

}  // namespace
}  // namespace weir
