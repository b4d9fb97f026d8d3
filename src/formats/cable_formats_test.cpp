// The three formats with cables, on one small fabric: `ibnetdiscover`, `ibnetdiscover -p` and
// opensm-subnet.lst. On a real pair of dumps: lab/fabric_files_test.cpp.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "fabric/difference.hpp"
#include "formats/ibnetdiscover.hpp"
#include "formats/port_list.hpp"
#include "formats/subnet_list.hpp"
#include "support/fabric_text.hpp"

namespace weir {
namespace {

using fabric::Snapshot;
using testing::message_of;
using testing::read_text;

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string result(text);
  const std::size_t at = result.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? result : result.replace(at, what.size(), with);
}

TEST(CableFormats, ASubnetListIsTheSameGraphAsIbnetdiscover) {
  const auto expected = read_text<IbnetdiscoverReader>(testing::kSmallIbnetdiscover);
  const auto found = read_text<SubnetListReader>(testing::kSmallSubnetList);
  ASSERT_TRUE(expected) << expected.error().message;
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, *expected);
}

// What -p leaves out: node GUIDs of HCAs (their port's stands for it), system image, vendor,
// device.
TEST(CableFormats, APortListIsTheSameGraphButForWhatItLeavesOut) {
  Snapshot expected = read_text<IbnetdiscoverReader>(testing::kSmallIbnetdiscover).value();
  const auto found = read_text<PortListReader>(testing::kSmallPortList);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(fabric::differences(expected, *found).empty());
  for (fabric::Vertex& vertex : expected.vertices) {
    vertex.vendor_id = vertex.device_id = 0;
    vertex.system_image = Guid(0);
    if (vertex.kind == fabric::VertexKind::kHca) vertex.guid = vertex.addresses.front().guid;
  }
  EXPECT_EQ(*found, expected);
}

TEST(CableFormats, DescriptionsMayHoldQuotesAndBraces) {
  const auto ports =
      read_text<PortListReader>("SW 1 1 0xa1 4x NDR - CA 2 1 0xc1 ( 'it's' - 'n1 HCA-1 ' )\n");
  ASSERT_TRUE(ports) << ports.error().message;
  ASSERT_EQ(ports->vertices.size(), 1U);
  EXPECT_EQ(ports->vertices[0].description, "it's");
  EXPECT_EQ(ports->gaps.at(0).end.peer_description, "n1 HCA-1 ");
  const auto list = read_text<SubnetListReader>(testing::kSmallSubnetList);
  EXPECT_EQ(list->at(*list->find(Guid(0xb1))).description, "spine {x}");
}

TEST(CableFormats, AnUnlinkedPortNeedsNoLidButALinkedOneDoes) {
  EXPECT_TRUE(read_text<PortListReader>("CA     0  2 0xc2 4x SDR         'n1 HCA-1'\n"));
  EXPECT_TRUE(read_text<PortListReader>("CA 65535  2 0xc2 4x SDR         'n1 HCA-1'\n"));
  const auto linked =
      read_text<PortListReader>("CA     0  1 0xc1 4x SDR - SW 1 1 0xa1 ( 'n1 HCA-1' - 'leaf' )\n");
  EXPECT_EQ(message_of(linked), "1: expected a LID from 1 to 49151, found \"0\"");
}

TEST(CableFormats, ThePortsOfOneHcaAreOneVertexAlsoInAPortList) {
  const auto found = read_text<PortListReader>(
      "CA 3 1 0xc1 4x HDR - SW 1 1 0xa1 ( 'n1 mlx5_0' - 'leaf' )\n"
      "CA 5 2 0xc2 4x HDR - SW 1 2 0xa1 ( 'n1 mlx5_0' - 'leaf' )\n"
      "CA 6 2 0xd7 4x HDR - SW 1 3 0xa1 ( 'n1 mlx5_0' - 'leaf' )\n"
      "SW 1 1 0xa1 4x HDR - CA 3 1 0xc1 ( 'leaf' - 'n1 mlx5_0' )\n"
      "SW 1 2 0xa1 4x HDR - CA 5 2 0xc2 ( 'leaf' - 'n1 mlx5_0' )\n"
      "SW 1 3 0xa1 4x HDR - CA 6 2 0xd7 ( 'leaf' - 'n1 mlx5_0' )\n");
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->vertices.size(), 3U);  // 0xd7 is too far away to be a port of 0xc1
  EXPECT_TRUE(found->complete());
  const fabric::Vertex& hca = found->at(*found->find(Guid(0xc1)));
  EXPECT_EQ(hca.port_count, 2U);
  ASSERT_EQ(hca.addresses.size(), 2U);
  EXPECT_EQ(hca.addresses[1].lid, Lid(5));
  EXPECT_EQ(found->hops(*found->find(Guid(0xc1))).size(), 2U);
}

TEST(CableFormats, ATruncatedListIsIncompleteNotWrong) {
  std::string text(testing::kSmallSubnetList);
  text.resize(text.find('\n') + 1);
  const auto found = read_text<SubnetListReader>(text);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->gaps.size(), 1U);
  EXPECT_EQ(found->gaps[0].kind, fabric::GapKind::kUndescribedPeer);
}

TEST(CableFormats, ASpeedOpenSmDoesNotKnowIsUnknown) {
  std::string text = replaced(testing::kSmallSubnetList, "SPD=50", "SPD=??");
  text.resize(text.find('\n') + 1);
  const auto found = read_text<SubnetListReader>(text);
  EXPECT_FALSE(found->gaps.at(0).end.rate.is_known());
}

TEST(CableFormats, PortListErrorsNameWhatWasExpected) {
  const auto error = [](std::string_view text) {
    return message_of(read_text<PortListReader>(text));
  };
  EXPECT_EQ(error("CA 3"), "1: expected a port from 1 to 254, found the end of the line");
  EXPECT_EQ(error("CA 3 1 0x0 4x HDR 'x'"),
            "1: expected a GUID that is neither 0 nor all ones, found \"0x0\"");
  EXPECT_EQ(error("CA 3 1 0xc1 5x HDR 'x'"),
            "1: expected a link rate such as 4x HDR, found \"5x HDR\"");
  EXPECT_EQ(error("CA 3 255 0xc1 4x HDR 'x'"), "1: expected a port from 1 to 254, found \"255\"");
  EXPECT_EQ(error("CA 3 1 0xc1 4x HDR - SW 1 1 0xa1"),
            "1: expected both descriptions as ( 'NAME' - 'NAME' ), found the end of the line");
  EXPECT_EQ(error("XX 3 1 0xc1 4x HDR 'x'"),
            "1: expected CA, SW or RT, as `ibnetdiscover -p` prints them, found \"XX\"");
  EXPECT_EQ(error("SW 1 1 0xa1 4x HDR - SW 1 2 0xa1 ( 'a' - 'a' )"),
            "1: expected a cable to another node, found one from 0x00000000000000a1 to itself");
  EXPECT_EQ(
      error("SW 1 1 0xa1 4x HDR 'a'\nSW 1 1 0xa1 4x HDR 'a'"),
      "2: expected each port once, found port 1 of 0x00000000000000a1 again, first in line 1");
  EXPECT_EQ(error("SW 1 1 0xa1 4x HDR 'a'\nSW 1 2 0xa1 4x HDR 'b'"),
            "2: expected 0x00000000000000a1 to be called \"a\" as in line 1, found \"b\"");
  EXPECT_EQ(error("SW 1 1 0xa1 4x HDR 'a'\nCA 1 2 0xa1 4x HDR 'a'"),
            "2: expected the kind of 0x00000000000000a1 that line 1 tells, found another");
  EXPECT_EQ(error("SW 1 1 0xa1 4x HDR 'a'\nSW 7 2 0xa1 4x HDR 'a'"),
            "2: expected the LID 1 and port GUID of 0x00000000000000a1 that an earlier line tells, "
            "found LID 7");
  EXPECT_EQ(error("SW 1 1 0xa1 4x HDR"),
            "1: expected '-' and the other end of the cable, or a description, found the end of "
            "the line");
  EXPECT_EQ(error("SW 1 1 0xa1 4x HDR 'le"), "1: expected a description in quotes, found \"'le\"");
  EXPECT_EQ(error("# nothing"), "expected lines as `ibnetdiscover -p` prints them, found none");
}

TEST(CableFormats, SubnetListErrorsNameWhatWasExpected) {
  const auto error = [](std::string_view what, std::string_view with) {
    return message_of(read_text<SubnetListReader>(replaced(testing::kSmallSubnetList, what, with)));
  };
  EXPECT_EQ(error("{ SW", "{ XX"), "1: expected SW, CA or Rt, found \"XX\"");
  EXPECT_EQ(error("Ports:28", "Ports:FF"), "1: expected a port from 1 to 254, found \"FF\"");
  EXPECT_EQ(error("PN:01 }", "PN:29 }"), "1: expected a port from 1 to 40, found port 41");
  EXPECT_EQ(error("LID:0003 PN:01 }", "LID:0003 PN:02 }"),
            "1: expected a port from 1 to 1 of 0x00000000000000c0, found port 2");
  EXPECT_EQ(error("LID:0001", "LID:0000"), "1: expected a LID from 1 to 49151, found \"0000\"");
  EXPECT_EQ(error("NodeGUID:00000000000000c0", "NodeGUID:00000000000000a1"),
            "1: expected a cable to another node, found one from 0x00000000000000a1 to itself");
  EXPECT_EQ(error(" SPD=50", ""), "1: expected SPD=..., found the end of the line");
  EXPECT_TRUE(
      error("{leaf1} LID:0001", "{leaf1")
          .starts_with("1: expected a description in braces and its LID, found \"{leaf1 PN"));
  EXPECT_EQ(
      error("PN:02 } { CA Ports", "PN:01 } { CA Ports"),
      "2: expected each port once, found port 1 of 0x00000000000000a1 again, first in line 1");
}

}  // namespace
}  // namespace weir
