#include "report/fabric_text.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/fabric_json.hpp"
#include "report/fabric_words.hpp"
#include "support/fabric_faults.hpp"

namespace weir::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::PlantedFabric;
using weir::testing::small_tree;

const std::vector<std::string> kSource = {"small.ibnetdiscover"};

std::string text_of(const PlantedFabric& planted) {
  return fabric_text(fabric::analyse(planted.snapshot()), kSource);
}

TEST(FabricText, SaysWhatASoundFabricIs) {
  EXPECT_EQ(text_of(PlantedFabric(small_tree())), R"(Fabric view of small.ibnetdiscover

  scan        complete: every cable is described at both ends
  inventory   36 switches, 64 HCAs, 192 cables
  hosts       16: 16 compute nodes, 0 others

One plane (subnet)
  plane 1     36 switches, 64 HCAs, mostly 4xNDR (400 Gb/s): rails 0-3

Fabric 1: 16 nodes on 4 rails, 4 units in 2 pods
  rails       0=mlx5_0 1=mlx5_1 2=mlx5_2 3=mlx5_3; every node is linked on all of them
  leaf        16 switches, down 25.6 Tb/s, up 25.6 Tb/s, not oversubscribed, 1.00 : 1
  spine       16 switches, down 25.6 Tb/s, up 25.6 Tb/s, not oversubscribed, 1.00 : 1
  core        4 switches, down 25.6 Tb/s, top
  pod 1       8 nodes in 2 units under 8 spines
    unit 1      4 nodes on 4 leaves: node[001-004]
    unit 2      4 nodes on 4 leaves: node[005-008]
  pod 2       8 nodes in 2 units under 8 spines
    unit 3      4 nodes on 4 leaves: node[009-012]
    unit 4      4 nodes on 4 leaves: node[013-016]

Nothing looks odd
)");
}

TEST(FabricText, NamesFaultsInSentences) {
  PlantedFabric planted(small_tree());
  planted.lose("node001 mlx5_0");
  planted.add_hca(0x100, "login01 mlx5_1", "leaf-u1-r1");
  planted.cut(planted.switch_called("leaf-u2-r1").guid,
              planted.switch_called("spine-p1-r1-1").guid);
  const std::string text = text_of(planted);
  EXPECT_THAT(text, HasSubstr("1 compute node lacks HCAs that its like have"));
  EXPECT_THAT(text, HasSubstr("node001: mlx5_0 not seen, 3 of 4 HCAs there"));
  EXPECT_THAT(text, HasSubstr("1 node not linked on all of them"));
  EXPECT_THAT(text, HasSubstr("1 with 1 HCA: login01"));
  EXPECT_THAT(text, HasSubstr("worst MF0;leaf-u2-r1:MQM9700/U1 at 1.33 : 1"));
}

TEST(FabricText, ListsWhatAnIncompleteScanMissesByNode) {
  PlantedFabric planted(small_tree());
  const Guid spine = planted.switch_called("spine-p1-r0-1").guid;
  std::erase_if(planted.draft().vertices,
                [&](const fabric::Vertex& vertex) { return vertex.guid == spine; });
  std::erase_if(planted.draft().ends,
                [&](const fabric::CableEnd& end) { return end.vertex == spine; });
  const std::string text = text_of(planted);
  EXPECT_THAT(text, HasSubstr("INCOMPLETE: 8 cables are not described in full"));
  EXPECT_THAT(text, HasSubstr("8 cables lead to nodes that are not described: 1 node"));
}

TEST(FabricText, CutsLongListsAndSaysHowMuchIsLeft) {
  PlantedFabric planted(small_tree());
  for (fabric::Vertex& vertex : planted.draft().vertices)
    if (vertex.description.starts_with("node00")) vertex.description = "MT4129 ConnectX7";
  const std::string text = text_of(planted);
  EXPECT_THAT(text, HasSubstr("36 HCAs carry no host name"));
  EXPECT_THAT(text, HasSubstr("and 32 more"));
}

TEST(FabricText, NeverPrintsAControlByteFromAName) {
  PlantedFabric planted(small_tree());
  planted.vertex("node001 mlx5_0").description = "\x1b[31mnode001 mlx5_0";
  EXPECT_THAT(text_of(planted), Not(HasSubstr("\x1b")));
}

TEST(FabricText, SpeaksOfAFabricWithoutSwitches) {
  const std::string text = fabric_text(fabric::analyse(fabric::assemble({})), kSource);
  EXPECT_THAT(text, HasSubstr("no switch is described: was the scan cut off?"));
}

TEST(FabricJson, HoldsEverythingTheTextCuts) {
  PlantedFabric planted(small_tree());
  planted.lose("node001 mlx5_0");
  const std::string json = fabric_json(fabric::analyse(planted.snapshot()), kSource);
  EXPECT_THAT(json, HasSubstr("\"complete\": true"));
  EXPECT_THAT(json, HasSubstr("\"compute_nodes\": 16"));
  EXPECT_THAT(json, HasSubstr("\"name\": \"node016\""));
  EXPECT_THAT(json, HasSubstr("\"kind\": \"missing_hca\""));
  EXPECT_THAT(json, HasSubstr("\"rank\": \"core\""));
  EXPECT_THAT(json, HasSubstr("null,"));  // the HCA that is missing
}

TEST(FabricWords, WriteRatesRatiosAndRanges) {
  EXPECT_EQ(rate_text(200_Gbps), "200 Gb/s");
  EXPECT_EQ(rate_text(Bandwidth(732'800'000'000'000)), "732.8 Tb/s");
  EXPECT_EQ(rate_text(Bandwidth()), "unknown rate");
  EXPECT_EQ(ratio_text(400_Gbps, 200_Gbps), "2.00 : 1");
  EXPECT_EQ(ratio_text(400_Gbps, Bandwidth()), "");
  EXPECT_EQ(ranges_text({0, 1, 2, 5, 7, 8}), "0-2, 5, 7-8");
  EXPECT_EQ(counted(1, "switch", "switches"), "1 switch");
  for (std::uint32_t kind = 0; kind < fabric::kOddityKinds; ++kind)
    EXPECT_GT(oddity_sentence(static_cast<fabric::OddityKind>(kind), 2).size(), 10U);
}

}  // namespace
}  // namespace weir::report
