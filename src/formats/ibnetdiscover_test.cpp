#include "formats/ibnetdiscover.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/read_lines.hpp"

namespace weir {
namespace {

using fabric::GapKind;
using fabric::PortNumber;
using fabric::Snapshot;
using fabric::Vertex;
using fabric::VertexKind;

Result<Snapshot> read(std::string_view text) {
  return testing::read_lines(IbnetdiscoverReader(), text);
}

constexpr std::string_view kSmall = R"(#
# Topology file: generated on Mon Nov 30 12:30:16 2026
#
# Initiated from node 1070fd0300200040 port 1070fd0300200041

vendid=0x2c9
devid=0xd2f0
sysimgguid=0xb8cef60300100070
switchguid=0xb8cef60300100070(b8cef60300100070)
Switch	40 "S-b8cef60300100070"		# "MF0;leaf08:MQM8700/U1" enhanced port 0 lid 8 lmc 0
[1]	"H-1070fd03002001c0"[1](1070fd03002001c1) 		# "gpu0029 mlx5_0" lid 41 4xHDR
[5]	"S-b8cef60300110000"[15]		# "MF0;spine01:MQM8700/U1" lid 9 2xNDR

vendid=0x2c9
devid=0xd2f0
sysimgguid=0xb8cef60300110000
switchguid=0xb8cef60300110000(b8cef60300110000)
Switch	40 "S-b8cef60300110000"		# "MF0;spine01:MQM8700/U1" base port 0 lid 9 lmc 0
[15]	"S-b8cef60300100070"[5]		# "MF0;leaf08:MQM8700/U1" lid 8 2xNDR

vendid=0x2c9
devid=0x101b
sysimgguid=0x1070fd03002001c0
caguid=0x1070fd03002001c0
Ca	1 "H-1070fd03002001c0"		# "gpu0029 mlx5_0"
[1](1070fd03002001c1) 	"S-b8cef60300100070"[1]		# lid 41 lmc 2 "MF0;leaf08:MQM8700/U1" lid 8 4xHDR
)";

const Vertex& vertex(const Snapshot& snapshot, std::uint64_t guid) {
  return snapshot.at(*snapshot.find(Guid(guid)));
}

TEST(Ibnetdiscover, ReadsSwitchesHcasAndCables) {
  const Snapshot snapshot = read(kSmall).value();
  EXPECT_TRUE(snapshot.complete());
  ASSERT_EQ(snapshot.vertices.size(), 3U);
  ASSERT_EQ(snapshot.links.size(), 2U);
  const Vertex& leaf = vertex(snapshot, 0xb8cef60300100070);
  EXPECT_EQ(leaf.kind, VertexKind::kSwitch);
  EXPECT_EQ(leaf.port_count, 40);
  EXPECT_EQ(leaf.device_id, 0xd2f0U);
  EXPECT_EQ(leaf.vendor_id, 0x2c9U);
  EXPECT_EQ(leaf.description, "MF0;leaf08:MQM8700/U1");
  ASSERT_EQ(leaf.addresses.size(), 1U);
  EXPECT_EQ(leaf.addresses[0].lid, Lid(8));
  const Vertex& hca = vertex(snapshot, 0x1070fd03002001c0);
  ASSERT_EQ(hca.addresses.size(), 1U);
  EXPECT_EQ(hca.addresses[0].guid, Guid(0x1070fd03002001c1));
  EXPECT_EQ(hca.addresses[0].lid, Lid(41));
  EXPECT_EQ(hca.addresses[0].lmc, 2);
  EXPECT_EQ(fabric::to_text(snapshot.links[0].rate), "4xHDR");
  EXPECT_EQ(fabric::to_text(snapshot.links[1].rate), "2xNDR");
}

TEST(Ibnetdiscover, ReadsRoutersAndGroupingLines) {
  const Snapshot snapshot = read(R"(
Chassis 1 (guid 0x5442ba00002080) ports
Hostname: gateway

# Spine Nodes
vendid=0x2c9
devid=0xd2f2
sysimgguid=0x5442ba00002080		# Chassis 1 (gateway) slot 3
switchguid=0x10(10)	# Spine Chip 1
Switch	36 "S-0000000000000010"		# "MF0;big:CS7500/S01/U1" enhanced port 0 lid 3 lmc 0
[1][ext 7]	"R-0000000000000020"[2][ext 3](20) 		# "router" lid 4 4xEDR s=4 w=2 v=4

Non-Chassis Nodes

vendid=0x2c9
devid=0x5a
sysimgguid=0x20
rtguid=0x20
Rt	2 "R-0000000000000020"		# "router"
[2](20) 	"S-0000000000000010"[1]		# lid 4 lmc 0 "MF0;big:CS7500/S01/U1" lid 3 4xEDR
)")
                                .value();
  EXPECT_TRUE(snapshot.complete());
  EXPECT_EQ(vertex(snapshot, 0x10).chassis, 1U);
  EXPECT_EQ(vertex(snapshot, 0x20).chassis, 0U);
  EXPECT_EQ(vertex(snapshot, 0x20).kind, VertexKind::kRouter);
  ASSERT_EQ(snapshot.links.size(), 1U);
  EXPECT_EQ(fabric::to_text(snapshot.links[0].rate), "4xEDR");
}

TEST(Ibnetdiscover, ReadsWhatPeopleWriteForIbsim) {
  const Snapshot snapshot = read(R"(devid=0x1011
Hca 2 "H-0000000000000001" # node1 mlx5_0
[1] "S-0000000000000009"[4] w=4 s=2
[2] "H-0000000000000002"

Switch 8 "S-0000000000000009" # some switch base port 0 lid 5 lmc 0
[4] "H-1"

Ca 1 "H-0000000000000002"
[1] "H-0000000000000001"[2] # lid 7 lmc 0
)")
                                .value();
  EXPECT_TRUE(snapshot.complete());
  EXPECT_EQ(snapshot.links.size(), 2U);
  EXPECT_EQ(vertex(snapshot, 1).description, "node1 mlx5_0");
  EXPECT_EQ(vertex(snapshot, 9).description, "some switch");
  EXPECT_EQ(vertex(snapshot, 9).addresses.at(0).lid, Lid(5));
  EXPECT_FALSE(snapshot.links[0].rate.is_known());
}

TEST(Ibnetdiscover, KeepsQuotesAndBlanksInsideADescription) {
  const Snapshot snapshot = read("Ca\t1 \"H-0000000000000001\"\t\t# \"a \"b\" mlx5_0 \"").value();
  EXPECT_EQ(snapshot.vertices[0].description, "a \"b\" mlx5_0 ");
}

TEST(Ibnetdiscover, ReadsRatesThatOlderToolsDoNotKnow) {
  const Snapshot snapshot =
      read(R"(Switch	65 "S-0000000000000009"		# "s" enhanced port 0 lid 1 lmc 0
[1]	"H-0000000000000001"[1](1) 		# "n1 mlx5_0" lid 2 4x???
[2]	"H-0000000000000002"[1](2) 		# "n2 mlx5_0" lid 3 ?????
[3]	"H-0000000000000003"[1](3) 		# "n3 mlx5_0" lid 4 4xXDR
)")
          .value();
  EXPECT_FALSE(snapshot.complete());
  EXPECT_EQ(snapshot.gaps.size(), 3U);
  EXPECT_EQ(fabric::to_text(snapshot.gaps[2].end.rate), "4xXDR");
}

TEST(Ibnetdiscover, ListsCablesToNodesThatTheFileNeverDescribes) {
  const std::string_view cut = kSmall.substr(0, kSmall.find("vendid=0x2c9\ndevid=0x101b"));
  const Snapshot snapshot = read(cut).value();
  EXPECT_FALSE(snapshot.complete());
  ASSERT_EQ(snapshot.gaps.size(), 1U);
  EXPECT_EQ(snapshot.gaps[0].kind, GapKind::kUndescribedPeer);
  EXPECT_EQ(snapshot.gaps[0].end.peer, Guid(0x1070fd03002001c0));
  EXPECT_EQ(snapshot.gaps[0].end.peer_description, "gpu0029 mlx5_0");
  EXPECT_EQ(snapshot.links.size(), 1U);
}

struct BadInput {
  std::string_view name;
  std::string_view text;
  std::string_view expected;  // the start of the message, with the line
};

void PrintTo(const BadInput& input, std::ostream* out) { *out << input.name; }

class IbnetdiscoverErrors : public ::testing::TestWithParam<BadInput> {};

TEST_P(IbnetdiscoverErrors, NameTheLineAndWhatWasExpected) {
  const auto snapshot = read(GetParam().text);
  ASSERT_FALSE(snapshot);
  EXPECT_EQ(snapshot.error().code, Errc::kBadInput);
  EXPECT_TRUE(snapshot.error().message.starts_with(GetParam().expected))
      << snapshot.error().message;
}

constexpr BadInput kBadInputs[] = {
    {"BadHeader", "Swtich 40 \"S-9\"", "1: expected a Switch, Ca or Rt record, a port line"},
    {"PortsReport", "CA 134 1 0x7cfe9003003b4bde 4x EDR - SW 1719 10 0x7cfe 4x EDR",
     "1: expected a Switch, Ca or Rt record, a port line, an id line or a comment, found a line of "
     "`ibnetdiscover -p`"},
    {"NodeList", "Switch\t : 0x7cfe9003009ce5b0 ports 36 devid 0xcb20 vendid 0x2c9 \"x\"",
     "1: expected a Switch, Ca or Rt record, a port line, an id line or a comment, found a line of "
     "`ibnetdiscover -p` or `-l`"},
    {"NoPortCount", "Switch \"S-9\"", "1: expected a number of ports from 1 to 254"},
    {"TooManyPorts", "Switch 255 \"S-9\"", "1: expected a number of ports from 1 to 254"},
    {"KindsDiffer", "Ca 1 \"S-9\"", "1: expected a GUID of the record's own kind"},
    {"PortZero", "Switch 4 \"S-9\"\n[0] \"S-8\"[1]",
     "2: expected a port from 1 to 254, found port 0"},
    {"PortBeyond", "Switch 4 \"S-9\"\n[5] \"S-8\"[1]",
     "2: expected a port from 1 to 4, found port 5"},
    {"PeerPortZero", "Switch 4 \"S-9\"\n[1] \"S-8\"[0]",
     "2: expected a port from 1 to 254, found port 0"},
    {"PeerPortBeyond", "Switch 4 \"S-9\"\n[1] \"S-8\"[5]\nSwitch 4 \"S-8\"",
     "2: expected a port from 1 to 4 of 0x0000000000000008, found port 5"},
    {"PortTwice", "Switch 4 \"S-9\"\n[1] \"S-8\"[1]\n[1] \"S-8\"[2]",
     "3: expected each port once, found port 1 again, first in line 2"},
    {"RecordTwice", "Ca 1 \"H-9\"\nCa 1 \"H-8\"\nCa 1 \"H-9\"",
     "3: expected each GUID once, found a second record of 0x0000000000000009, first in line 1"},
    {"LidZero", "Switch 4 \"S-9\" # \"s\" enhanced port 0 lid 0 lmc 0",
     "1: expected a LID from 1 to 49151, found \"0\""},
    {"LidBeyondUnicast", "Ca 1 \"H-9\"\n[1](9) \"S-8\"[1] # lid 49152 lmc 0 \"s\" lid 1 4xHDR",
     "2: expected a LID from 1 to 49151, found \"49152\""},
    {"PeerLidZero", "Switch 4 \"S-9\"\n[1] \"H-8\"[1](8) # \"h\" lid 0 4xHDR",
     "2: expected a LID from 1 to 49151, found \"0\""},
    {"LidMissing", "Switch 4 \"S-9\" # \"s\" enhanced port 0 lid",
     "1: expected a LID from 1 to 49151, found the end of the line"},
    {"LmcBeyond", "Switch 4 \"S-9\" # \"s\" enhanced port 0 lid 1 lmc 8",
     "1: expected an LMC from 0 to 7, found \"8\""},
    {"SelfLoop", "Switch 4 \"S-9\"\n[1] \"S-9\"[2]", "2: expected a cable to another node"},
    {"CarriageReturn", "Switch 4 \"S-9\"\r", "1: expected lines that end with LF, found CR LF"},
    {"GuidNotHex", "Switch 4 \"S-9q\"", "1: expected a GUID in hexadecimal, found \"9q\""},
    {"GuidTooLong", "Switch 4 \"S-123456789abcdef01\"", "1: expected a GUID in hexadecimal"},
    {"GuidZero", "Switch 4 \"S-0\"", "1: expected a GUID that is neither 0 nor all ones"},
    {"GuidAllOnes", "Switch 4 \"S-ffffffffffffffff\"",
     "1: expected a GUID that is neither 0 nor all ones"},
    {"GuidWithoutKind", "Switch 4 \"9\"", "1: expected S-, H- or R- and a GUID, found \"9\""},
    {"IdNotHex", "devid=0xzz", "1: expected a number in hexadecimal, found \"0xzz\""},
    {"IdTooLong", "devid=0x123456789", "1: expected a vendor or device id of at most 32 bits"},
    {"IdWithMore", "devid=0x12 34", "1: expected the end of the line or a remark"},
    {"OpenNodeQuote", "Switch 4 \"S-9", "1: expected a closing quote"},
    {"OpenDescriptionQuote", "Switch 4 \"S-9\" # \"name", "1: expected a closing quote"},
    {"NoQuote", "Switch 4 S-9", "1: expected a node in quotes"},
    {"NoPeer", "Switch 4 \"S-9\"\n[1]", "2: expected a node in quotes"},
    {"OpenBracket", "Switch 4 \"S-9\"\n[1", "2: expected a port number in brackets"},
    {"OpenPeerBracket", "Switch 4 \"S-9\"\n[1] \"S-8\"[1", "2: expected a port number in brackets"},
    {"OpenParenthesis", "Ca 1 \"H-9\"\n[1](9 \"S-8\"[1]", "2: expected a port GUID and ')'"},
    {"BadRate", "Switch 4 \"S-9\"\n[1] \"S-8\"[1] # \"s\" lid 1 5xHDR",
     "2: expected a link rate such as 4xHDR, found \"5xHDR\""},
    {"StrayWord", "Switch 4 \"S-9\"\n[1] \"S-8\"[1] word", "2: expected '#' and a description"},
    {"PortBeforeRecord", "# head\n[1] \"S-8\"[1]",
     "2: expected a Switch, Ca or Rt record before this port line"},
    {"PortAfterIds", "Ca 1 \"H-9\"\ndevid=0x1\n[1] \"S-8\"[1]",
     "3: expected a Switch, Ca or Rt record before this port line"},
    {"GuidsDiffer", "caguid=0x8\nCa 1 \"H-9\"",
     "2: expected the record of 0x0000000000000008, found that of 0x0000000000000009"},
    {"KindOfIdsDiffers", "switchguid=0x9(9)\nCa 1 \"H-9\"", "2: expected a Switch record"},
    {"RecordMissing", "caguid=0x8\n\ncaguid=0x9", "3: expected the record of 0x0000000000000008"},
    {"RecordCutOff", "Ca 1 \"H-9\"\nvendid=0x2c9\ndevid=0x1",
     "2: expected a Switch, Ca or Rt line to complete this record, found the end of the file"},
    {"BadChassis", "Chassis x", "1: expected a chassis number"},
    {"ChassisInsideIds", "devid=0x1\nChassis 2", "2: expected the record that the id lines"},
    {"Empty", "", "expected Switch, Ca or Rt records"},
    {"CommentsOnly", "# nothing\n", "expected Switch, Ca or Rt records"},
};

INSTANTIATE_TEST_SUITE_P(Table, IbnetdiscoverErrors, ::testing::ValuesIn(kBadInputs),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Ibnetdiscover, RefusesADescriptionBeyondTheLimit) {
  const auto snapshot = read("Ca 1 \"H-9\" # \"" + std::string(300, 'x') + "\"");
  ASSERT_FALSE(snapshot);
  EXPECT_EQ(snapshot.error().code, Errc::kLimit);
}

TEST(Ibnetdiscover, NeverCrashesOnACutOrChangedFile) {
  // Every prefix, and every byte replaced by some others: an answer or an error, never more.
  for (std::size_t size = 0; size < kSmall.size(); ++size)
    static_cast<void>(read(kSmall.substr(0, size)));
  for (const char other : {'"', '[', '\n', '0', '\0', '\xff'})
    for (std::size_t at = 0; at < kSmall.size(); ++at) {
      std::string changed(kSmall);
      changed[at] = other;
      static_cast<void>(read(changed));
    }
}

}  // namespace
}  // namespace weir
