// The rules themselves are judged by the real OpenSM (tests/peers); here: what any tables must do,
// and which planes ftree refuses.
#include "fabric/routing.hpp"

#include <set>

#include <gtest/gtest.h>

#include "fabric/fat_tree_rules.hpp"
#include "fabric/reference_fabrics.hpp"
#include "fabric/route_map.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::PlantedFabric;
using testing::small_tree;

Subnet only_subnet(const Snapshot& graph) { return subnets_of(graph).value().at(0); }

RoutingOptions by(RoutingRule rule) {
  RoutingOptions options;
  options.rule = rule;
  return options;
}

std::string refusal(const Snapshot& graph) {
  const auto tables = compute_tables(only_subnet(graph), by(RoutingRule::kFtree));
  return tables ? "" : tables.error().message;
}

// Every HCA reaches every other on a shortest way that climbs first and then only descends.
void expect_all_pairs_joined(const Snapshot& graph, RoutingRule rule) {
  const Subnet subnet = only_subnet(graph);
  const ForwardingTables tables = compute_tables(subnet, by(rule)).value();
  const RouteMap map(graph, subnet, tables);
  for (std::uint32_t a = 0; a < subnet.end_ports.size(); ++a)
    for (std::uint32_t b = 0; b < subnet.end_ports.size(); ++b) {
      const Result<Route> route = map.route(EndPortId(a), EndPortId(b));
      ASSERT_TRUE(route) << route.error().message;
      ASSERT_EQ(route->size() % 2, 0U);
      ASSERT_LE(route->size(), 6U);
      if (subnet.at(EndPortId(a)).leaf == subnet.at(EndPortId(b)).leaf && a != b) {
        ASSERT_EQ(route->size(), 2U);
      }
    }
}

TEST(Routing, JoinsAllPairsByBothRules) {
  for (const RoutingRule rule : {RoutingRule::kFtree, RoutingRule::kMinhop}) {
    expect_all_pairs_joined(generate(small_tree()).value(), rule);
    expect_all_pairs_joined(generate(plan_of(*reference_fabric_called("dgx-h100-31"))).value(),
                            rule);
  }
}

TEST(Routing, SpreadsAShiftOverAllUplinksOfAFullTree) {
  // The promise of D-mod-K: when every node of a full tree sends to the node k further on, no cable
  // carries two of the routes.
  FatTreeWish wish;
  wish.nodes = 64;
  wish.rails = 1;
  wish.switch_ports = 16;
  const Snapshot graph = generate(plan_fat_tree(wish).value()).value();
  const Subnet subnet = only_subnet(graph);
  const ForwardingTables tables = compute_tables(subnet, by(RoutingRule::kFtree)).value();
  const RouteMap map(graph, subnet, tables);
  std::vector<EndPortId> by_name(64);
  for (std::uint32_t e = 0; e < 64; ++e) {
    const std::string& name = graph.at(subnet.end_ports[e].vertex).description;
    by_name.at(std::stoul(name.substr(4)) - 1) = EndPortId(e);
  }
  for (const std::size_t shift : {1U, 8U, 13U, 40U}) {
    std::set<Channel> used;
    for (std::size_t i = 0; i < 64; ++i) {
      const Route route = map.route(by_name[i], by_name[(i + shift) % 64]).value();
      for (const Channel channel : route) EXPECT_TRUE(used.insert(channel).second) << shift;
    }
  }
}

TEST(Routing, AMissingNodeShiftsNoRouteToOtherLeaves) {
  const Snapshot full = generate(small_tree()).value();
  PlantedFabric less(small_tree());
  less.lose("node003 mlx5_1");
  const Subnet subnet = only_subnet(full);
  const ForwardingTables before = compute_tables(subnet, by(RoutingRule::kFtree)).value();
  const ForwardingTables after =
      compute_tables(only_subnet(less.snapshot()), by(RoutingRule::kFtree)).value();
  for (std::size_t s = 0; s < before.switches.size(); ++s)
    for (const EndPort& end : subnet.end_ports) {
      if (full.at(end.vertex).description.starts_with("node00") &&
          full.at(end.vertex).description.ends_with("mlx5_1"))
        continue;  // of its own leaf, those behind it move up
      EXPECT_EQ(before.switches[s].port_to(end.lid), after.switches[s].port_to(end.lid));
    }
}

TEST(Routing, RefusesWhatIsNoRegularTreeInWordsThatNameTheSwitch) {
  PlantedFabric cut(small_tree());
  const Guid leaf = cut.switch_called("leaf-u1-r0").guid;
  ASSERT_TRUE(cut.cut(leaf, cut.switch_called("spine-p1-r0-1").guid));
  EXPECT_NE(refusal(cut.snapshot()).find("cables to one switch above"), std::string::npos);
  EXPECT_NE(refusal(cut.snapshot()).find("falls back to minhop"), std::string::npos);

  PlantedFabric high(small_tree());
  high.add_hca(0x99, "storage mlx5_0", "spine-p1-r0-1").addresses = {
      {PortNumber(1), Guid(0x99), Lid(999), 0}};
  EXPECT_NE(refusal(high.snapshot()), "");

  FatTree star = small_tree();
  star.nodes = 2;
  star.rails = 1;
  star.cores_per_spine = 0;
  EXPECT_NE(refusal(generate(star).value()).find("one switch only"), std::string::npos);
}

TEST(Routing, TakesAnIrregularTreeWhenItIsToldTheRoots) {
  PlantedFabric cut(small_tree());
  ASSERT_TRUE(
      cut.cut(cut.switch_called("leaf-u1-r0").guid, cut.switch_called("spine-p1-r0-1").guid));
  RoutingOptions options = by(RoutingRule::kFtree);
  for (const Vertex& vertex : cut.draft().vertices)
    if (vertex.description.starts_with("MF0;core")) options.roots.push_back(vertex.guid);
  const Snapshot graph = cut.snapshot();
  EXPECT_TRUE(compute_tables(only_subnet(graph), options));
  options.roots = {Guid(12)};
  EXPECT_FALSE(compute_tables(only_subnet(graph), options));
}

TEST(Routing, ConnectsRootsOnRequest) {
  const Snapshot graph = generate(small_tree()).value();
  const Subnet subnet = only_subnet(graph);
  RoutingOptions options = by(RoutingRule::kFtree);
  const auto unknown = [&](const ForwardingTables& tables) {
    std::size_t count = 0;
    for (const ForwardingTable& table : tables.switches)
      for (const SubnetSwitch& target : subnet.switches)
        count += table.port_to(target.lid) == kNoRoute ? 1 : 0;
    return count;
  };
  EXPECT_GT(unknown(compute_tables(subnet, options).value()), 0U);
  options.connect_roots = true;
  EXPECT_EQ(unknown(compute_tables(subnet, options).value()), 0U);
}

// A row of switches, one HCA at each end.
TEST(Routing, HasNoRouteOverMoreHopsThanAByteCounts) {
  constexpr std::uint16_t kSwitches = 300;
  FabricDraft draft;
  const auto cable = [&](Guid a, std::uint8_t port_a, Guid b, std::uint8_t port_b) {
    draft.ends.push_back({a, PortNumber(port_a), b, PortNumber(port_b), {}, {}});
    draft.ends.push_back({b, PortNumber(port_b), a, PortNumber(port_a), {}, {}});
  };
  for (std::uint16_t s = 1; s <= kSwitches; ++s) {
    draft.vertices.push_back({.guid = Guid(s),
                              .kind = VertexKind::kSwitch,
                              .port_count = 2,
                              .description = "switch",
                              .addresses = {{PortNumber(0), Guid(s), Lid(s), 0}}});
    if (s > 1) cable(Guid(s - 1U), 2, Guid(s), 1);
  }
  for (const std::uint16_t h : {std::uint16_t{400}, std::uint16_t{401}})
    draft.vertices.push_back({.guid = Guid(h),
                              .port_count = 1,
                              .description = "hca",
                              .addresses = {{PortNumber(1), Guid(h), Lid(h), 0}}});
  cable(Guid(400), 1, Guid(1), 1);
  cable(Guid(401), 1, Guid(kSwitches), 2);
  const Snapshot graph = assemble(draft);
  const ForwardingTables tables =
      compute_tables(only_subnet(graph), by(RoutingRule::kMinhop)).value();
  EXPECT_EQ(tables.find(Guid(1))->port_to(Lid(255)), 2);
  EXPECT_EQ(tables.find(Guid(1))->port_to(Lid(256)), kNoRoute);
  EXPECT_EQ(tables.find(Guid(1))->port_to(Lid(401)), kNoRoute);
  EXPECT_NE(refusal(graph).find("the leaves have rank"), std::string::npos);
}

TEST(Routing, IsCalledByName) {
  EXPECT_EQ(routing_rule_called("minhop"), RoutingRule::kMinhop);
  EXPECT_EQ(routing_rule_called("updn"), std::nullopt);
}

}  // namespace
}  // namespace weir::fabric
