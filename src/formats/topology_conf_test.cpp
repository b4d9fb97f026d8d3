#include "formats/topology_conf.hpp"

#include <gtest/gtest.h>

#include "formats/block_list.hpp"
#include "formats/topology_conf_writer.hpp"
#include "support/fabric_text.hpp"

namespace weir {
namespace {

using fabric::NamedTopology;
using fabric::SiteTree;
using testing::message_of;
using testing::read_text;

constexpr std::string_view kTree =
    "# a site\n"
    "SwitchName=core Switches=spine[1-2]   # the top\n"
    "switchname=spine1 switches=leaf1,leaf2 LinkSpeed=100\n"
    "SwitchName=spine2 \\\n"
    "  Switches=leaf3\n"
    "\n"
    "SwitchName=leaf1 Nodes=n[01-02]\n"
    "SwitchName=leaf2 Nodes=n[03-04]\n"
    "SwitchName=leaf3 Nodes=n[05,07]\n";

TEST(TopologyConf, ReadsATree) {
  const auto found = read_text<TopologyConfReader>(kTree);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->switches.size(), 6U);
  EXPECT_EQ(found->switches[0].switches, (std::vector<std::string>{"spine1", "spine2"}));
  EXPECT_EQ(found->switches[2].line, 4U);  // where it begins
  EXPECT_EQ(found->switches[5].nodes, (std::vector<std::string>{"n05", "n07"}));
}

TEST(TopologyConf, ReadsBlocks) {
  const auto found = read_text<TopologyConfReader>(
      "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockSizes=2,4\n");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->blocks.size(), 2U);
  EXPECT_EQ(found->block_sizes, (std::vector<std::uint32_t>{2, 4}));
}

TEST(TopologyConf, WhatIsWrittenReadsBackAsTheSameTree) {
  const SiteTree tree = fabric::tree_of(*read_text<TopologyConfReader>(kTree)).value();
  const auto text = write_topology_tree(tree);
  ASSERT_TRUE(text) << text.error().message;
  const SiteTree again = fabric::tree_of(*read_text<TopologyConfReader>(*text)).value();
  // spine2 has one leaf: the file leaves it out, and the leaf stands in its place.
  EXPECT_EQ(again.nodes, tree.nodes);
  EXPECT_EQ(again.locality.levels[0], tree.locality.levels[0]);
  EXPECT_EQ(again.locality.levels[2], tree.locality.levels[2]);
  const auto blocks = write_topology_blocks(tree);
  EXPECT_EQ(*blocks,
            "# Written by weir\nBlockName=leaf1 Nodes=n[01-02]\nBlockName=leaf2 Nodes=n[03-04]\n"
            "BlockName=leaf3 Nodes=n[05,07]\nBlockSizes=2\n");
}

TEST(TopologyConf, ErrorsNameWhatWasExpected) {
  const auto error = [](std::string_view text) {
    return message_of(read_text<TopologyConfReader>(text));
  };
  EXPECT_EQ(error(""), "expected switches or blocks with nodes, found none");
  EXPECT_EQ(error("SwitchName=a Switches=b\nSwitchName=b Switches=a"),
            "2: expected a tree, found a cycle: switch \"a\" stands above \"b\" and below it");
  EXPECT_EQ(error("SwitchName=a Switches=a"),
            "1: expected a tree, found a cycle: switch \"a\" stands above \"a\" and below it");
  EXPECT_EQ(error("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2"),
            "2: expected each switch once, found \"a\" again, first in line 1");
  EXPECT_EQ(error("SwitchName=a Nodes=n1 Switches=b\nSwitchName=b Nodes=n2"),
            "1: expected switch \"a\" to have switches or nodes below it, found both");
  EXPECT_EQ(error("SwitchName=a"), "1: expected switches or nodes below switch \"a\", found none");
  EXPECT_EQ(error("SwitchName=a Switches=b"),
            "1: expected a line for switch \"b\", which stands below \"a\", found none");
  EXPECT_EQ(error("SwitchName=a Nodes=n[1-2],n2"),
            "1: expected each node of switch \"a\" once, found \"n2\" again");
  EXPECT_EQ(error("BlockName=a Nodes=n1\nBlockName=b Nodes=n1"),
            "2: expected each node in one block, found \"n1\" in \"a\" and in \"b\"");
  EXPECT_EQ(error("BlockName=a Nodes=n1\nBlockSizes=4,2"),
            "2: expected ascending numbers of nodes, like 18,36,72, found \"4,2\"");
  EXPECT_EQ(error("SwitchNam=a Nodes=n1"),
            "1: expected SwitchName, Switches, Nodes, BlockName or BlockSizes, found "
            "\"SwitchNam=a\": did you mean SwitchName?");
  EXPECT_EQ(error("SwitchName = a"), "1: expected KEY=VALUE without blanks, found \"SwitchName\"");
  EXPECT_EQ(error("SwitchName=a Nodes=n1 Nodes=n2"),
            "1: expected each key once in a line, found \"Nodes\" again");
  EXPECT_EQ(error("SwitchName=s[1-2] Nodes=n1"), "1: expected one name, found \"s[1-2]\"");
  EXPECT_EQ(error("Nodes=n1"),
            "1: expected a line with SwitchName, BlockName or BlockSizes, found \"Nodes=n1\"");
  EXPECT_EQ(error("BlockName=b Nodes=n1 LinkSpeed=7"),
            "1: expected nothing else in this line, found \"linkspeed\"");
  EXPECT_EQ(error("SwitchName=a \\"),
            "1: expected the rest of this line, found the end of the file behind '\\'");
}

TEST(BlockList, ReadsAndRefuses) {
  const auto found =
      read_text<BlockListReader>("# nodes block\nn[1-2] rack1\nn3\track2 # one\nn4 rack1\n");
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->blocks.size(), 2U);
  EXPECT_EQ(found->blocks[0].nodes, (std::vector<std::string>{"n1", "n2", "n4"}));
  EXPECT_EQ(message_of(read_text<BlockListReader>("n1 rack1 more")),
            "1: expected two words, nodes and their block, like \"node[001-018] rack1\", found "
            "\"n1 rack1 more\"");
  EXPECT_EQ(message_of(read_text<BlockListReader>("n1 a\nn1 b")),
            "2: expected each node in one block, found \"n1\" in \"a\" and in \"b\"");
}

}  // namespace
}  // namespace weir
