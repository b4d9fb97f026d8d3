#include "fabric/reference_fabrics.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "fabric/fat_tree_rules.hpp"
#include "fabric/site_view.hpp"

namespace weir::fabric {
namespace {

struct Cables {
  std::uint32_t node = 0;
  std::uint32_t spine = 0;
  std::uint32_t core = 0;
};

// Ranks by name, so that counting does not lean on the analysis that it is to judge.
Cables count_cables(const Snapshot& graph) {
  const auto named = [&](VertexId id, std::string_view word) {
    return graph.at(id).kind == VertexKind::kSwitch &&
           graph.at(id).description.starts_with("MF0;" + std::string(word));
  };
  Cables cables;
  for (const Link& link : graph.links) {
    const VertexId a = link.a.vertex;
    const VertexId b = link.b.vertex;
    if (graph.at(a).kind == VertexKind::kHca || graph.at(b).kind == VertexKind::kHca)
      ++cables.node;
    else if (named(a, "core") || named(b, "core"))
      ++cables.core;
    else
      ++cables.spine;
  }
  return cables;
}

std::array<std::uint32_t, 3> switches_by_rank(const SiteView& view) {
  std::array<std::uint32_t, 3> counts{};
  for (const Fabric& fabric : view.fabrics)
    for (const Tier& tier : fabric.tiers) counts.at(tier.rank.index()) += tier.switches;
  return counts;
}

TEST(ReferenceFabrics, HaveTheirRowsSwitchesAndCables) {
  for (const ReferenceFabric& row : reference_fabrics()) {
    SCOPED_TRACE(row.name);
    const FatTree plan = plan_of(row);
    const FatTreeCounts counts = count_switches(plan).value();
    EXPECT_EQ(counts.leaves, row.leaves);
    EXPECT_EQ(counts.spines, row.spines);
    EXPECT_EQ(counts.cores, row.cores);
    EXPECT_EQ(plan.nodes * plan.rails, row.gpus);
    const Snapshot graph = generate(plan).value();
    EXPECT_TRUE(graph.complete());
    const Cables cables = count_cables(graph);
    EXPECT_EQ(cables.node, row.node_cables);
    EXPECT_EQ(cables.spine, row.spine_cables);
    EXPECT_EQ(cables.core, row.core_cables);
    for (const Vertex& vertex : graph.vertices)
      EXPECT_EQ(vertex.port_count, vertex.kind == VertexKind::kSwitch ? plan.switch_ports : 1U);
  }
}

TEST(ReferenceFabrics, AreWhatOurAnalysisFinds) {
  for (const ReferenceFabric& row : reference_fabrics()) {
    SCOPED_TRACE(row.name);
    const FatTree plan = plan_of(row);
    const SiteView view = analyse(generate(plan).value());
    EXPECT_EQ(view.planes.size(), 1U);
    ASSERT_EQ(view.fabrics.size(), 1U);
    ASSERT_EQ(view.nodes.size(), row.nodes);
    EXPECT_EQ(view.fabrics[0].plane_by_rail.size(), plan.rails);
    EXPECT_EQ(switches_by_rank(view), (std::array{row.leaves, row.spines, row.cores}));
    const std::uint32_t units = (row.leaves + plan.rails - 1) / plan.rails;
    EXPECT_EQ(view.units.size(), units);
    EXPECT_EQ(view.pods.size(), units / plan.units_per_pod);
    for (const ComputeNode& node : view.nodes)
      EXPECT_EQ(node.rails, (RailMask{1} << plan.rails) - 1);
  }
}

TEST(ReferenceFabrics, FollowFromTheGeneralRuleButForTheOddOnes) {
  for (const ReferenceFabric& row : reference_fabrics()) {
    SCOPED_TRACE(row.name);
    if (row.name == "dgx-a100-140" || row.name.starts_with("gb200")) continue;
    FatTreeWish wish;
    wish.nodes = row.nodes;
    wish.switch_ports = plan_of(row).switch_ports;
    const FatTreeCounts counts = count_switches(plan_fat_tree(wish).value()).value();
    EXPECT_EQ(counts.leaves, row.leaves);
    EXPECT_EQ(counts.spines, row.spines);
    EXPECT_EQ(counts.cores, row.cores);
  }
}

TEST(ReferenceFabrics, KeepFabricManagersApartFromNodes) {
  const SiteView view =
      analyse(generate(plan_of(*reference_fabric_called("dgx-h100-127"))).value());
  EXPECT_EQ(view.hosts.size(), 129U);
  EXPECT_EQ(view.units[0].node_count, 31U);
  EXPECT_EQ(view.units[1].node_count, 32U);
}

TEST(ReferenceFabrics, AreFoundByName) {
  EXPECT_EQ(reference_fabric_called("dgx-h100-128"), nullptr);
  EXPECT_EQ(to_text(reference_fabric_called("gb200-nvl72-8")->source), "derived");
}

}  // namespace
}  // namespace weir::fabric
