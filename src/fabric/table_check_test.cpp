#include "fabric/table_check.hpp"

#include <gtest/gtest.h>

#include "fabric/routing.hpp"
#include "support/fabric_faults.hpp"

namespace weir::fabric {
namespace {

using testing::PlantedFabric;
using testing::small_tree;

TableCheck check(const Snapshot& graph, const ForwardingTables& tables) {
  const Subnet subnet = subnets_of(graph).value().at(0);
  return check_tables(graph, RouteMap(graph, subnet, tables), subnet);
}

ForwardingTables tables_of(const Snapshot& graph, RoutingRule rule) {
  RoutingOptions options;
  options.rule = rule;
  return compute_tables(subnets_of(graph).value().at(0), options).value();
}

// Three switches in a triangle, each with two HCAs.
Snapshot triangle() {
  FabricDraft draft;
  const LinkRate rate{LinkWidth::k4x, LinkSpeed::kHdr};
  const auto cable = [&](Guid a, std::uint8_t port_a, Guid b, std::uint8_t port_b) {
    draft.ends.push_back({a, PortNumber(port_a), b, PortNumber(port_b), rate, {}});
    draft.ends.push_back({b, PortNumber(port_b), a, PortNumber(port_a), rate, {}});
  };
  std::uint16_t lid = 0;
  for (std::uint64_t s = 1; s <= 3; ++s) {
    draft.vertices.push_back({.guid = Guid(s),
                              .kind = VertexKind::kSwitch,
                              .port_count = 4,
                              .description = "switch",
                              .addresses = {{PortNumber(0), Guid(s), Lid(++lid), 0}}});
    for (std::uint64_t h = 0; h < 2; ++h) {
      const Guid hca(s * 16 + h);
      draft.vertices.push_back({.guid = hca,
                                .port_count = 1,
                                .description = "hca",
                                .addresses = {{PortNumber(1), hca, Lid(++lid), 0}}});
      cable(hca, 1, Guid(s), static_cast<std::uint8_t>(1 + h));
    }
  }
  for (std::uint64_t s = 1; s <= 3; ++s) cable(Guid(s), 3, Guid(s % 3 + 1), 4);
  return assemble(draft);
}

TEST(TableCheck, FindsNothingInATree) {
  const Snapshot graph = generate(small_tree()).value();
  for (const RoutingRule rule : {RoutingRule::kFtree, RoutingRule::kMinhop}) {
    const TableCheck found = check(graph, tables_of(graph, rule));
    EXPECT_EQ(found.pairs, 64U * 63U);
    EXPECT_EQ(found.cut_pairs, 0U);
    EXPECT_TRUE(found.credit_loop.empty());
  }
}

TEST(TableCheck, CountsPairsThatAreCut) {
  const Snapshot graph = generate(small_tree()).value();
  ForwardingTables tables = tables_of(graph, RoutingRule::kFtree);
  const Subnet subnet = subnets_of(graph).value().at(0);
  const EndPort& target = subnet.end_ports[0];
  for (ForwardingTable& table : tables.switches)
    if (table.switch_guid == subnet.at(target.leaf).guid)
      table.out_port[target.lid.value()] = kNoRoute;
  const TableCheck found = check(graph, tables);
  EXPECT_EQ(found.cut_pairs, 63U);
  ASSERT_TRUE(found.first_cut);
  EXPECT_EQ(found.first_cut->second, EndPortId(0));
}

TEST(TableCheck, FindsTheCircleWhenAllSendRoundATriangle) {
  const Snapshot graph = triangle();
  ForwardingTables tables = tables_of(graph, RoutingRule::kMinhop);
  EXPECT_TRUE(check(graph, tables).credit_loop.empty());
  const Subnet subnet = subnets_of(graph).value().at(0);
  for (ForwardingTable& table : tables.switches)
    for (const EndPort& end : subnet.end_ports)
      if (subnet.at(end.leaf).guid != table.switch_guid) table.out_port[end.lid.value()] = 3;
  const TableCheck round = check(graph, tables);
  EXPECT_EQ(round.cut_pairs, 0U);
  ASSERT_EQ(round.credit_loop.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(receiver(graph, round.credit_loop[i]).vertex,
              sender(graph, round.credit_loop[(i + 1) % 3]).vertex);
}

}  // namespace
}  // namespace weir::fabric
