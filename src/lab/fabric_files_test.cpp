// The readers and the analysis on real fabrics. Without the data set these tests are skipped.
#include "lab/fabric_files.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fabric/difference.hpp"
#include "support/data.hpp"
#include "support/fabric_text.hpp"
#include "support/folder.hpp"

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
  const auto path = sample("topograph/netq-topologyGraph.json");
  WEIR_REQUIRE_DATA(path);
  const auto content = read_fabric_file(path);
  ASSERT_FALSE(content);
  EXPECT_TRUE(content.error().message.starts_with(path.string() + ":1: expected"))
      << content.error().message;
  EXPECT_FALSE(read_fabric_file(path.parent_path() / "no-such-file"));
}

// `ibnetdiscover -p` leaves out node GUIDs of HCAs (it prints their port GUIDs), system image
// GUIDs, vendor and device; the rest is the same to the last link.
TEST(SameFabric, AsPortListIsTheSameGraph) {
  const auto path = sample("generated-ibsim/ibnetdiscover-p.out");
  WEIR_REQUIRE_DATA(path);
  fabric::Snapshot expected =
      read_fabric(std::vector{sample("generated-ibsim/ibnetdiscover.out")}).value();
  const fabric::Snapshot found = read_fabric(std::vector{path}).value();
  EXPECT_TRUE(fabric::differences(expected, found).empty());
  for (fabric::Vertex& vertex : expected.vertices) {
    vertex.vendor_id = vertex.device_id = 0;
    vertex.system_image = Guid(0);
    if (vertex.kind == fabric::VertexKind::kHca) vertex.guid = vertex.addresses.at(0).guid;
  }
  EXPECT_EQ(found, expected);
}

// opensm-subnet.lst was dumped while the link leaf08[11]-spine04[15] was down.
TEST(SameFabric, AsSubnetListIsTheSameGraphButForOneLink) {
  const auto path = sample("generated-ibsim/opensm-subnet.lst");
  WEIR_REQUIRE_DATA(path);
  const fabric::Snapshot whole =
      read_fabric(std::vector{sample("generated-ibsim/ibnetdiscover.out")}).value();
  const fabric::Snapshot found = read_fabric(std::vector{path}).value();
  const auto differ = fabric::differences(whole, found);
  ASSERT_EQ(differ.size(), 1U);
  EXPECT_EQ(differ[0],
            (fabric::Difference{fabric::DifferenceKind::kCableGone,
                                "MF0;leaf08:MQM8700/U1 (0xb8cef60300100070) port 11",
                                "MF0;spine04:MQM8700/U1 (0xb8cef60300110030) port 15", ""}));
  EXPECT_EQ(found.vertices, whole.vertices);
  EXPECT_EQ(found.links.size() + 1, whole.links.size());
  for (const fabric::Link& link : found.links)
    EXPECT_TRUE(std::ranges::find(whole.links, link) != whole.links.end());
}

TEST(SameFabric, BothForwardingDumpsGiveTheSameTables) {
  const auto path = sample("generated-ibsim/opensm-lfts.dump");
  WEIR_REQUIRE_DATA(path);
  const auto lfts = read_forwarding(path);
  const auto fdbs = read_forwarding(sample("generated-ibsim/opensm.fdbs"));
  ASSERT_TRUE(lfts) << lfts.error().message;
  ASSERT_TRUE(fdbs) << fdbs.error().message;
  EXPECT_EQ(*lfts, *fdbs);
  ASSERT_EQ(lfts->switches.size(), 12U);
  EXPECT_EQ(lfts->find(Guid(0xb8cef60300100000))->port_to(Lid(0x11)), 5);
  EXPECT_FALSE(read_fabric(std::vector{path}));
}

TEST(SameFabric, SlurmAndTopographSamplesAreTrees) {
  const auto tree_file = sample("slurm/topology-tree.conf");
  const auto block_file = sample("slurm/topology-block.conf");
  WEIR_REQUIRE_DATA(tree_file);
  const auto tree = read_tree(std::vector{tree_file}, block_file);
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->nodes.size(), 96U);
  ASSERT_EQ(tree->locality.levels.size(), 5U);
  EXPECT_EQ(tree->locality.levels[0].domains.size(), 12U);
  EXPECT_EQ(tree->locality.levels[2].domains.size(), 6U);
  EXPECT_EQ(*tree, *read_tree(std::vector{tree_file, block_file}, {}));
  const auto topograph = read_tree(std::vector{sample("topograph/nvl72.yaml")}, {});
  ASSERT_TRUE(topograph) << topograph.error().message;
  EXPECT_EQ(topograph->nodes.size(), 72U);
  EXPECT_EQ(topograph->locality.levels[0].domains[3].name, "nvl-2-2");
}

TEST(FabricFiles, AFormatIsToldByContentAlsoWhenCompressed) {
  const testing::TestFolder folder;
  const auto conf = folder.write("any.name", "SwitchName=l1 Nodes=n[1-2]\n");
  const auto list = folder.write("nodes", "n1 rack1\nn2 rack1\n");
  const auto tree = read_tree(std::vector{conf}, list);
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->locality.levels[0].domains.size(), 1U);
  const auto error = read_site(std::vector{conf});
  EXPECT_EQ(error.error().message, conf.string() +
                                       ": expected cables (ibnetdiscover, ibnetdiscover -p or "
                                       "opensm-subnet.lst), found names only");
  EXPECT_EQ(read_forwarding(conf).error().message,
            conf.string() +
                ": expected forwarding tables (opensm-lfts.dump or opensm.fdbs), found a fabric");
}

// Two planes of the same two hosts, each in a file and a format of its own.
TEST(FabricFiles, PlanesInFilesOfDifferentFormatsAreOneSite) {
  const testing::TestFolder folder;
  const auto first = folder.write("plane1", std::string(testing::kSmallIbnetdiscover));
  std::string text(testing::kSmallPortList);
  for (const auto& [from, to] : {std::pair("a1", "a2"),
                                 {"b1", "b2"},
                                 {"c1", "e1"},
                                 {"d1", "f1"},
                                 {"mlx5_0", "mlx5_1"},
                                 {"leaf1", "leaf2"}})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, std::string_view(from).size(), to);
  const auto second = folder.write("plane2", text);
  const auto view = read_site(std::vector{first, second});
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->planes.size(), 2U);
  ASSERT_EQ(view->nodes.size(), 2U);
  EXPECT_EQ(view->nodes[0].rails, 0b11);
  EXPECT_EQ(view->units.size(), 1U);
}

// Every host on its leaf and, with a second HCA, on one storage switch.
TEST(FabricFiles, ASharedStorageSwitchIsANetworkOfItsOwn) {
  std::string text;
  for (unsigned n = 0; n < 16; ++n) {
    const unsigned leaf = n / 4;
    const auto cable = [&](unsigned sw, unsigned port, unsigned hca, const char* device) {
      const std::string name = fmt::format("n{:02} {}", n, device);
      const std::string switch_name = sw == 4 ? "storage" : fmt::format("leaf{}", sw);
      text += fmt::format("SW {0} {1} 0x{2:x} 4x HDR - CA {3} 1 0x{4:x} ( '{5}' - '{6}' )\n",
                          sw + 1, port, 0xa0 + sw, 100 + hca, 0x1000 + hca, switch_name, name);
      text += fmt::format("CA {3} 1 0x{4:x} 4x HDR - SW {0} {1} 0x{2:x} ( '{6}' - '{5}' )\n",
                          sw + 1, port, 0xa0 + sw, 100 + hca, 0x1000 + hca, switch_name, name);
    };
    cable(leaf, n % 4 + 1, n * 2, "mlx5_0");
    cable(4, n + 1, n * 2 + 1, "mlx5_1");
  }
  const auto spine = [&](unsigned leaf) {
    text += fmt::format("SW {0} 40 0x{1:x} 4x HDR - SW 9 {2} 0xb0 ( 'leaf{3}' - 'spine' )\n",
                        leaf + 1, 0xa0 + leaf, leaf + 1, leaf);
    text += fmt::format("SW 9 {2} 0xb0 4x HDR - SW {0} 40 0x{1:x} ( 'spine' - 'leaf{3}' )\n",
                        leaf + 1, 0xa0 + leaf, leaf + 1, leaf);
  };
  for (unsigned leaf = 0; leaf < 4; ++leaf) spine(leaf);
  const testing::TestFolder folder;
  const auto view = read_site(std::vector{folder.write("site", text)});
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->units.size(), 4U);
  EXPECT_EQ(view->planes.size(), 2U);
  EXPECT_EQ(view->nodes.size(), 16U);
}

}  // namespace
}  // namespace weir::lab
