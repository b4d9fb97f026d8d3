#include "fabric/route_map.hpp"

#include <gtest/gtest.h>

#include "fabric/routing.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::small_tree;

class RouteMapTest : public ::testing::Test {
 protected:
  RouteMapTest()
      : graph_(generate(small_tree()).value()), subnet_(subnets_of(graph_).value().at(0)) {
    tables_ = compute_tables(subnet_, {}).value();
  }

  EndPortId end_called(std::string_view name) const {
    for (std::uint32_t e = 0; e < subnet_.end_ports.size(); ++e)
      if (graph_.at(subnet_.end_ports[e].vertex).description == name) return EndPortId(e);
    return EndPortId::none();
  }
  // The entry of a switch, to be spoiled.
  std::uint8_t& entry(std::string_view switch_name, EndPortId to) {
    for (ForwardingTable& table : tables_.switches) {
      const Vertex& vertex = graph_.at(*graph_.find(table.switch_guid));
      if (vertex.description.find(switch_name) != std::string::npos)
        return table.out_port[subnet_.at(to).lid.value()];
    }
    throw std::runtime_error("no switch is called " + std::string(switch_name));
  }
  std::string error(std::string_view from, EndPortId to) const {
    const Result<Route> route = RouteMap(graph_, subnet_, tables_).route(end_called(from), to);
    return route ? "" : route.error().message;
  }

  Snapshot graph_;
  Subnet subnet_;
  ForwardingTables tables_;
};

TEST_F(RouteMapTest, FollowsTheTablesFromCableToCable) {
  const RouteMap map(graph_, subnet_, tables_);
  const Route route = map.route(end_called("node001 mlx5_0"), end_called("node005 mlx5_0")).value();
  ASSERT_EQ(route.size(), 4U);  // up to the leaf, up to a spine, down, down
  EXPECT_EQ(graph_.at(sender(graph_, route.front()).vertex).description, "node001 mlx5_0");
  EXPECT_EQ(graph_.at(receiver(graph_, route.back()).vertex).description, "node005 mlx5_0");
  for (std::size_t i = 1; i < route.size(); ++i)
    EXPECT_EQ(receiver(graph_, route[i - 1]).vertex, sender(graph_, route[i]).vertex);
  EXPECT_TRUE(map.route(end_called("node001 mlx5_0"), end_called("node001 mlx5_0"))->empty());
  EXPECT_EQ(map.route(end_called("node001 mlx5_0"), end_called("node002 mlx5_0"))->size(), 2U);
}

TEST_F(RouteMapTest, NamesTheSwitchThatKnowsNoRoute) {
  const EndPortId to = end_called("node005 mlx5_0");
  entry("leaf-u1-r0", to) = kNoRoute;
  EXPECT_NE(error("node001 mlx5_0", to).find("no route: switch"), std::string::npos);
  EXPECT_NE(error("node001 mlx5_0", to).find("leaf-u1-r0"), std::string::npos);
}

TEST_F(RouteMapTest, NamesDeadEnds) {
  const EndPortId to = end_called("node005 mlx5_0");
  entry("leaf-u1-r0", to) = 200;
  EXPECT_NE(error("node001 mlx5_0", to).find("port 200, where no cable is"), std::string::npos);
  entry("leaf-u1-r0", to) = 2;
  EXPECT_NE(error("node001 mlx5_0", to).find("where \"node002 mlx5_0\" is plugged in"),
            std::string::npos)
      << error("node001 mlx5_0", to);
  entry("leaf-u1-r0", to) = 0;  // the switch takes the LID for its own
  EXPECT_NE(error("node001 mlx5_0", to).find("dead end"), std::string::npos);
}

TEST_F(RouteMapTest, NamesLoops) {
  const EndPortId to = end_called("node005 mlx5_0");
  const std::uint8_t up = entry("leaf-u1-r0", to);
  entry("spine-p1-r0-1", to) = entry("spine-p1-r0-1", end_called("node001 mlx5_0"));
  entry("spine-p1-r0-2", to) = entry("spine-p1-r0-2", end_called("node001 mlx5_0"));
  ASSERT_NE(up, kNoRoute);
  EXPECT_NE(error("node001 mlx5_0", to).find("loop: packets to LID"), std::string::npos);
}

TEST_F(RouteMapTest, NamesTheSwitchThatHasNoTable) {
  const EndPortId to = end_called("node005 mlx5_0");
  tables_.switches.clear();
  EXPECT_NE(error("node001 mlx5_0", to).find("has no forwarding table"), std::string::npos);
}

}  // namespace
}  // namespace weir::fabric
