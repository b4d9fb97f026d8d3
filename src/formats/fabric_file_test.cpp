#include "formats/fabric_file.hpp"

#include <gtest/gtest.h>

#include "support/fabric_text.hpp"

namespace weir {
namespace {

using testing::message_of;
using testing::read_text;

TEST(FabricFile, TheFormatIsToldByTheContent) {
  const auto format = [](std::string_view text) {
    FabricFileReader reader;
    static_cast<void>(read_text(reader, text));
    return reader.format();
  };
  EXPECT_EQ(format(testing::kSmallIbnetdiscover), FabricFormat::kIbnetdiscover);
  EXPECT_EQ(format(testing::kSmallPortList), FabricFormat::kPortList);
  EXPECT_EQ(format(testing::kSmallSubnetList), FabricFormat::kSubnetList);
  EXPECT_EQ(format("Unicast lids [0-1] of"), FabricFormat::kForwardingDump);
  EXPECT_EQ(format("dump_ucast_routes: Switch 0x1"), FabricFormat::kForwardingDump);
  EXPECT_EQ(format("# one\n\n SWITCHNAME=a"), FabricFormat::kTopologyConf);
  EXPECT_EQ(format("BlockName=a Nodes=b"), FabricFormat::kTopologyConf);
  EXPECT_EQ(format("# one\nswitches:\n"), FabricFormat::kTopograph);
  EXPECT_EQ(format("{\n  \"items\": []}"), FabricFormat::kTopograph);
  EXPECT_EQ(format("# only a remark\n"), std::nullopt);
}

TEST(FabricFile, LinesBeforeTheFormatShowsStillCount) {
  FabricFileReader reader;
  EXPECT_EQ(message_of(read_text(reader, "# one\n\nswitches: 7\n")),
            "3: expected switches by name, found no map");
}

TEST(FabricFile, AListOfBlocksIsReadOnlyWhereItIsExpected) {
  FabricFileReader strict;
  EXPECT_EQ(message_of(read_text(strict, "n1 rack1")),
            "1: expected output of ibnetdiscover (also -p), opensm-subnet.lst, opensm-lfts.dump, "
            "opensm.fdbs, topology.conf or topograph's YAML, found \"n1 rack1\"");
  FabricFileReader reader(FabricFormat::kBlockList);
  const auto content = read_text(reader, "n1 rack1");
  ASSERT_TRUE(content) << content.error().message;
  EXPECT_EQ(std::get<fabric::NamedTopology>(*content).blocks.size(), 1U);
}

TEST(FabricFile, WhatIsNoTextIsRefusedInWordsThatHelp) {
  const auto error = [](std::string_view text) {
    FabricFileReader reader;
    return message_of(read_text(reader, text));
  };
  EXPECT_EQ(error(""), "expected a description of a fabric, found an empty file");
  EXPECT_EQ(error("SW 1 1 0xa1 4x HDR 'a'\r\n"),
            "1: expected lines that end with LF, found CR LF: convert the file (dos2unix)");
  EXPECT_TRUE(error(std::string_view("\xff\xfeS\0", 4)).starts_with("1: expected UTF-8 or ASCII"));
  EXPECT_TRUE(error(std::string_view("S\0W\0", 4)).starts_with("1: expected text, found a zero"));
  EXPECT_TRUE(error("\xef\xbb\xbfswitches:").starts_with("1: expected text from the first byte"));
}

}  // namespace
}  // namespace weir
