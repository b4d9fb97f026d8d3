#include "formats/forwarding_dump.hpp"

#include <gtest/gtest.h>

#include "support/fabric_text.hpp"

namespace weir {
namespace {

using fabric::ForwardingTables;
using fabric::kNoRoute;
using testing::message_of;
using testing::read_text;

constexpr std::string_view kLfts =
    "Unicast lids [0-4] of switch Lid 2 guid 0x00000000000000b1 ('spine guid 0x7'):\n"
    "0x0001 001 # Switch portguid 0x00000000000000a1: 'leaf1'\n"
    "0x0002 000 # Switch portguid 0x00000000000000b1: 'spine'\n"
    "4 lids dumped \n"
    "Unicast lids [0-4] of switch Lid 1 guid 0x00000000000000a1 ('leaf1'):\n"
    "0x0001 000 # Switch portguid 0x00000000000000a1: 'leaf1'\n"
    "0x0003 002 # Channel Adapter portguid 0x00000000000000c1: 'n1 mlx5_0'\n"
    "0x0004 254 # unknown node and type\n"
    "4 lids dumped \n";

constexpr std::string_view kFdbs =
    "dump_ucast_routes: Switch 0x00000000000000b1\n"
    "LID    : Port : Hops : Optimal\n"
    "0x0001 : 001  : 01   : yes\n"
    "0x0002 : 000  : 00   : yes\n"
    "0x0003 : UNREACHABLE\n"
    "0x0004 : UNREACHABLE\n"
    "osm_ucast_mgr_dump_ucast_routes: Switch 0x00000000000000a1\n"
    "LID    : Port : Hops : Optimal\n"
    "0x0001 : 000  : 00   : yes\n"
    "0x0002 : UNREACHABLE\n"
    "0x0003 : 002  : HOPS UNKNOWN\n"
    "0x0004 : 254  : 03   : No 2 hop path possible via port 4!\n";

TEST(ForwardingDump, BothDumpsGiveTheSameTables) {
  const auto lfts = read_text<ForwardingDumpReader>(kLfts);
  const auto fdbs = read_text<ForwardingDumpReader>(kFdbs);
  ASSERT_TRUE(lfts) << lfts.error().message;
  ASSERT_TRUE(fdbs) << fdbs.error().message;
  EXPECT_EQ(*lfts, *fdbs);
  ASSERT_EQ(lfts->switches.size(), 2U);
  EXPECT_EQ(lfts->switches[0].switch_guid, Guid(0xa1));
  EXPECT_EQ(lfts->switches[0].out_port, (std::vector<std::uint8_t>{kNoRoute, 0, kNoRoute, 2, 254}));
  EXPECT_EQ(lfts->find(Guid(0xb1))->out_port, (std::vector<std::uint8_t>{kNoRoute, 1, 0}));
}

TEST(ForwardingDump, WhatIbroutePrintsIsRead) {
  const auto tables = read_text<ForwardingDumpReader>(
      "Unicast lids [0x0-0x2c] of switch Lid 1 guid 0xb8cef60300100000 (leaf01):\n"
      "  Lid  Out   Destination\n"
      "       Port     Info \n"
      "0x0002 005 : (Switch portguid 0xb8cef60300100010: 'leaf02')\n"
      "44 valid lids dumped \n");
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_EQ(tables->switches.at(0).port_to(Lid(2)), 5);
}

TEST(ForwardingDump, ErrorsNameWhatWasExpected) {
  const auto error = [](std::string_view text) {
    return message_of(read_text<ForwardingDumpReader>(text));
  };
  EXPECT_EQ(error(""), "expected forwarding tables as OpenSM dumps them, found none");
  EXPECT_EQ(error("0x0001 001 # x"),
            "1: expected a line that names the switch before its routes, found a route");
  const std::string head = "dump_ucast_routes: Switch 0xa1\n";
  EXPECT_EQ(error(head + "0x0000 : 001  : 01   : yes"),
            "2: expected a LID from 1 to 49151, found \"0x0000\"");
  EXPECT_EQ(error(head + "0xC000 : 001  : 01   : yes"),
            "2: expected a LID from 1 to 49151, found \"0xC000\"");
  EXPECT_EQ(error(head + "0x0001 : 255  : 01   : yes"),
            "2: expected a port from 0 to 254, or UNREACHABLE, found \"255\"");
  for (const std::string_view cut :
       {"0x0001 : 001", "0x0001 : 001  : 0", "0x0001 : 001  : 01   :", "0x0001 : 001  : 01   : ye"})
    EXPECT_TRUE(error(head + std::string(cut)).starts_with("2: expected the hops and \"yes\""))
        << cut;
  EXPECT_EQ(error(head + "0x0002 : 001  : 01   : yes\n0x0002 : 001  : 01   : yes"),
            "3: expected LIDs in ascending order, found LID 2 behind LID 2");
  EXPECT_EQ(error(head + head),
            "2: expected each switch once, found 0x00000000000000a1 again, first in line 1");
  EXPECT_EQ(error("dump_ucast_routes: Switch 0x0"),
            "1: expected a GUID that is neither 0 nor all ones, found \"0x0\"");
  EXPECT_EQ(error("hello"),
            "1: expected a switch (\"Unicast lids ...\", \"dump_ucast_routes: ...\") or a route "
            "(\"0x0002 005 ...\"), found \"hello\"");
}

TEST(ForwardingDump, AFileThatIsCutOffIsRefused) {
  const std::string_view cut = kLfts.substr(0, kLfts.rfind("4 lids"));
  EXPECT_EQ(message_of(read_text<ForwardingDumpReader>(cut)),
            "5: expected \"... lids dumped\" at the end of the table of 0x00000000000000a1, found "
            "the end of the file: it is cut off");
}

}  // namespace
}  // namespace weir
