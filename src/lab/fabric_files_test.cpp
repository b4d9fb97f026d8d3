// The readers and the analysis on real fabrics. Without the data set these tests are skipped.
#include "lab/fabric_files.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace weir::lab {
namespace {

using fabric::OddityKind;
using fabric::SiteView;

std::filesystem::path sample(const std::string& name) {
  return testing::data_file("ib-samples/" + name);
}

SiteView view_of(const std::vector<std::filesystem::path>& paths) {
  return read_site(paths).value();
}

// Read once: it is the large one. REQUIRES: the file is there.
const SiteView& selene_compute() {
  static const SiteView kView = view_of({sample("ibnetdiscover/selene.compute.ibnetdiscover.xz")});
  return kView;
}

std::size_t count(const SiteView& view, OddityKind kind) {
  return static_cast<std::size_t>(std::ranges::count(view.oddities, kind, &fabric::Oddity::kind));
}

std::vector<std::size_t> units_by_pod(const SiteView& view) {
  std::vector<std::size_t> units(view.pods.size(), 0);
  for (const fabric::Unit& unit : view.units) ++units[unit.pod.index()];
  return units;
}

TEST(RealFabric, SeleneComputeHas25UnitsIn4Pods) {
  WEIR_REQUIRE_DATA(sample("ibnetdiscover/selene.compute.ibnetdiscover.xz"));
  const SiteView& view = selene_compute();
  EXPECT_TRUE(view.graph.complete());
  EXPECT_EQ(view.aggregation_nodes, 666U);
  EXPECT_EQ(view.planes.size(), 1U);
  EXPECT_EQ(view.planes[0].switches.size(), 666U);
  EXPECT_EQ(view.planes[0].hcas, 3'675U);
  EXPECT_EQ(view.hosts.size(), 469U);
  ASSERT_EQ(view.nodes.size(), 458U);
  for (const fabric::ComputeNode& node : view.nodes) EXPECT_EQ(node.rails, 0xff);
  for (const fabric::Host& host : view.hosts)
    EXPECT_EQ(host.hcas.size(), host.compute ? 8U : 1U) << host.name;
  ASSERT_EQ(view.fabrics.size(), 1U);
  EXPECT_EQ(view.units.size(), 25U);
  for (const fabric::Unit& unit : view.units) {
    EXPECT_LE(unit.node_count, 20U);
    EXPECT_EQ(unit.leaves.size(), 8U);
  }
  // Pods and units stand in the order of their lowest node names.
  EXPECT_EQ(units_by_pod(view), (std::vector<std::size_t>{7, 7, 4, 7}));
  EXPECT_EQ(view.host_of(view.nodes.front()).name, "luna-0001");
  for (const fabric::Pod& pod : view.pods) EXPECT_EQ(pod.spines.size(), 80U);
  EXPECT_TRUE(view.oddities.empty());
}

TEST(RealFabric, SeleneComputeHasThreeRanksAndNoManagementSwitchAmongThem) {
  WEIR_REQUIRE_DATA(sample("ibnetdiscover/selene.compute.ibnetdiscover.xz"));
  const SiteView& view = selene_compute();
  const std::vector<fabric::Tier>& tiers = view.fabrics.at(0).tiers;
  ASSERT_EQ(tiers.size(), 3U);
  EXPECT_EQ(tiers[0].switches, 200U);
  EXPECT_EQ(tiers[0].links_down, 3'664U);
  EXPECT_EQ(tiers[1].switches, 320U);
  EXPECT_EQ(tiers[2].switches, 140U);  // 666 in all: four MLG and two MSPINE serve other hosts
  EXPECT_EQ(tiers[0].down, Bandwidth(3'664 * 200'000'000'000ULL));
}

TEST(RealFabric, SeleneComputeGivesATreeThatThePlannerAccepts) {
  WEIR_REQUIRE_DATA(sample("ibnetdiscover/selene.compute.ibnetdiscover.xz"));
  const SiteView& view = selene_compute();
  const Locality tree = fabric::locality(view);
  EXPECT_TRUE(check(tree));
  EXPECT_TRUE(tree.known);
  ASSERT_EQ(tree.levels.size(), 4U);
  EXPECT_EQ(tree.levels[0].domains.size(), 25U);
  EXPECT_EQ(tree.levels[1].domains.size(), 4U);
  const std::vector<Node> nodes = fabric::pool_nodes(view, {});
  ASSERT_EQ(nodes.size(), 458U);
  EXPECT_EQ(nodes[0].name, "luna-0001");
  EXPECT_EQ(nodes[20].name, "luna-0021");
  EXPECT_EQ(nodes[20].cell, DomainId(1));
}

TEST(RealFabric, SeleneStorageAloneShowsItsClientsAndKeepsStorageServersApart) {
  const auto path = sample("ibnetdiscover/selene.storage.ibnetdiscover.xz");
  WEIR_REQUIRE_DATA(path);
  const SiteView view = view_of({path});
  EXPECT_TRUE(view.graph.complete());
  EXPECT_EQ(view.hosts.size(), 628U);
  // 458 hosts have mlx5_4 and mlx5_10 here; 160 storage servers also have two HCAs, others.
  EXPECT_EQ(view.nodes.size(), 458U);
  EXPECT_EQ(view.pods.size(), 4U);
  EXPECT_EQ(count(view, OddityKind::kFactoryName), 1U);
  EXPECT_EQ(view.oddities.size(), 1U);
  const std::vector<fabric::Tier>& tiers = view.fabrics.at(0).tiers;
  ASSERT_EQ(tiers.size(), 3U);
  EXPECT_EQ(tiers[2].switches, 32U);      // four leaves without hosts are no cores
  EXPECT_GT(tiers[0].down, tiers[0].up);  // oversubscribed, unlike the compute fabric
}

TEST(RealFabric, SeleneComputeAndStorageTogetherAreOneSiteWithTheComputeRails) {
  const auto compute = sample("ibnetdiscover/selene.compute.ibnetdiscover.xz");
  const auto storage = sample("ibnetdiscover/selene.storage.ibnetdiscover.xz");
  WEIR_REQUIRE_DATA(compute);
  const SiteView& alone = selene_compute();
  const SiteView both = view_of({storage, compute});
  EXPECT_EQ(both.planes.size(), 2U);
  EXPECT_FALSE(both.planes[1].compute);
  EXPECT_EQ(fabric::locality(both), fabric::locality(alone));
  EXPECT_EQ(fabric::pool_nodes(both, {}), fabric::pool_nodes(alone, {}));
  EXPECT_EQ(both.hosts.size(), 631U);
}

// What this dump shows: 69 HCAs with the adapter's factory text and 5 of hosts called localhost
// and ubuntu, so about 18 machines cannot be told; ten nodes of the first unit whose HCA-5 is
// missing, because the leaf of their third rail is not in the dump at all (31 leaves, not 32); and
// two HCAs of one node swapped: b08-p1-dgx-08-c01.
TEST(RealFabric, TheNdrFabricIsSaneDespiteManyFactoryNames) {
  const auto path = sample("ibnetdiscover/ndr-dgx-40sw-582ca.ibnetdiscover.xz");
  WEIR_REQUIRE_DATA(path);
  const SiteView view = view_of({path});
  EXPECT_TRUE(view.graph.complete());
  EXPECT_EQ(view.aggregation_nodes, 40U);
  EXPECT_EQ(view.hosts.size(), 120U);
  EXPECT_EQ(view.nodes.size(), 119U);
  EXPECT_EQ(view.units.size(), 8U);
  EXPECT_EQ(view.pods.size(), 1U);
  EXPECT_EQ(view.fabrics.at(0).plane_by_rail.size(), 4U);
  ASSERT_EQ(view.fabrics[0].tiers.size(), 2U);
  EXPECT_EQ(view.fabrics[0].tiers[0].switches, 31U);
  EXPECT_EQ(view.fabrics[0].tiers[1].switches, 9U);
  EXPECT_EQ(count(view, OddityKind::kFactoryName), 69U);
  EXPECT_EQ(count(view, OddityKind::kPlaceholderHost), 5U);
  EXPECT_EQ(count(view, OddityKind::kMissingHca), 10U);
  EXPECT_EQ(count(view, OddityKind::kMiswired), 2U);
  EXPECT_EQ(view.oddities.size(), 86U);
  EXPECT_EQ(view.units[0].leaves.size(), 3U);
  EXPECT_EQ(view.nodes[0].rails, 0b1011);
}

TEST(RealFabric, AHostWithoutASwitchIsNoComputeNode) {
  const auto path = sample("ibnetdiscover/ca-only-no-switch.ibnetdiscover");
  WEIR_REQUIRE_DATA(path);
  const SiteView view = view_of({path});
  EXPECT_EQ(view.hosts.size(), 1U);
  EXPECT_TRUE(view.planes.empty());
  EXPECT_TRUE(view.nodes.empty());
  EXPECT_EQ(count(view, OddityKind::kUnlinkedHca), 1U);
}

TEST(RealFabric, ADumpCutOffAfterFourSwitchesIsIncomplete) {
  const auto path = sample("ibnetdiscover/selene.compute.head60.ibnetdiscover");
  WEIR_REQUIRE_DATA(path);
  const SiteView view = view_of({path});
  EXPECT_FALSE(view.graph.complete());
  EXPECT_EQ(view.graph.vertices.size(), 4U);
  EXPECT_EQ(view.graph.gaps.size(), 32U);
  for (const fabric::Gap& gap : view.graph.gaps)
    EXPECT_EQ(gap.kind, fabric::GapKind::kUndescribedPeer);
}

TEST(RealFabric, IbsimInputAndTheDumpOfTheSameFabricGiveTheSameTree) {
  const auto input = sample("generated-ibsim/fattree-8x4-32hca.ibnetdiscover");
  const auto dump = sample("generated-ibsim/ibnetdiscover.out");
  WEIR_REQUIRE_DATA(input);
  const SiteView written = view_of({input});
  const SiteView discovered = view_of({dump});
  EXPECT_EQ(written.units.size(), 8U);
  EXPECT_EQ(written.nodes.size(), 32U);
  EXPECT_EQ(fabric::locality(written), fabric::locality(discovered));
  EXPECT_EQ(fabric::pool_nodes(written, {}), fabric::pool_nodes(discovered, {}));
}

TEST(RealFabric, AFileGivenTwiceIsRefused) {
  const auto path = sample("generated-ibsim/ibnetdiscover.out");
  WEIR_REQUIRE_DATA(path);
  const auto view = read_site(std::vector{path, path});
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().code, Errc::kBadInput);
}

TEST(RealFabric, ErrorsNameFileAndLine) {
  const auto path = sample("ibnetdiscover-p/test.out");
  WEIR_REQUIRE_DATA(path);
  const auto snapshot = read_fabric_file(path);
  ASSERT_FALSE(snapshot);
  EXPECT_TRUE(snapshot.error().message.starts_with(path.string() + ":1: expected"))
      << snapshot.error().message;
  EXPECT_FALSE(read_fabric_file(path.parent_path() / "no-such-file"));
}

}  // namespace
}  // namespace weir::lab
