#include "fabric/site_tree.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace weir::fabric {
namespace {

using Names = std::vector<std::string>;

Names domains(const SiteTree& tree, Level level) {
  Names names;
  for (const LevelTable& table : tree.locality.levels)
    if (table.level == level)
      for (const Domain& domain : table.domains) names.push_back(domain.name);
  return names;
}

Names numbered(std::string_view stem, unsigned first, unsigned last) {
  Names names;
  for (unsigned i = first; i <= last; ++i) names.push_back(fmt::format("{}{}", stem, i));
  return names;
}

SiteTree tree_from(const NamedTopology& topology) {
  const Result<SiteTree> tree = tree_of(topology);
  EXPECT_TRUE(tree) << tree.error().message;
  if (!tree) return {};
  EXPECT_TRUE(check(tree->locality));
  return *tree;
}

TEST(SiteTree, ThreeTiersAreUnitPodAndFabric) {
  NamedTopology site;
  site.switches = {{"core", {"s1", "s2"}, {}}, {"s1", {"l1", "l2"}, {}},  {"s2", {"l3"}, {}},
                   {"l3", {}, {"n1", "n2"}},   {"l1", {}, {"n10", "n9"}}, {"l2", {}, {"n3"}}};
  const SiteTree tree = tree_from(site);
  EXPECT_EQ(domains(tree, Level::kFabric), (Names{"core"}));
  EXPECT_EQ(domains(tree, Level::kPod), (Names{"s2", "s1"}));  // in the order of the lowest node
  EXPECT_EQ(domains(tree, Level::kUnit), (Names{"l3", "l2", "l1"}));
  ASSERT_EQ(tree.nodes.size(), 5U);
  EXPECT_EQ(tree.nodes[3].name, "n9");
  EXPECT_EQ(tree.nodes[3].cell, DomainId(2));
  EXPECT_TRUE(tree.remarks.empty());
}

TEST(SiteTree, TopsThatNothingJoinsAreFabricsOfTheirOwn) {
  NamedTopology site;
  site.switches = {
      {"a", {"l1", "l2"}, {}}, {"l1", {}, {"n1"}}, {"l2", {}, {"n2"}}, {"l3", {}, {"n3"}}};
  const SiteTree tree = tree_from(site);
  EXPECT_EQ(domains(tree, Level::kFabric), (Names{"a", "l3"}));
  EXPECT_EQ(domains(tree, Level::kPod), (Names{"a", "l3"}));
}

TEST(SiteTree, MoreThanThreeTiersAreCutInTheMiddleAndSaidSo) {
  NamedTopology site;
  site.switches = {{"top", {"c"}, {}}, {"c", {"s"}, {}}, {"s", {"l"}, {}}, {"l", {}, {"n1"}}};
  const SiteTree tree = tree_from(site);
  EXPECT_EQ(domains(tree, Level::kPod), (Names{"s"}));
  EXPECT_EQ(domains(tree, Level::kFabric), (Names{"top"}));
  ASSERT_EQ(tree.remarks.size(), 1U);
  EXPECT_TRUE(tree.remarks[0].starts_with("the tree has 4 levels of switches"));
}

// 4 leaves with 4 hosts each, and every host also on one storage switch: 4 leaves remain.
TEST(SiteTree, ASharedStorageSwitchMergesNoLeaves) {
  NamedTopology site;
  for (unsigned leaf = 0; leaf < 4; ++leaf)
    site.switches.push_back(
        {fmt::format("leaf{}", leaf), {}, numbered("n", leaf * 4 + 1, leaf * 4 + 4)});
  site.switches.push_back({"storage", {}, numbered("n", 1, 16)});
  for (const bool joined : {false, true}) {
    if (joined) site.switches.push_back({"spine", numbered("leaf", 0, 3), {}});
    const SiteTree tree = tree_from(site);
    EXPECT_EQ(domains(tree, Level::kUnit), numbered("leaf", 0, 3));
    EXPECT_EQ(domains(tree, Level::kFabric), joined ? Names{"spine"} : numbered("leaf", 0, 3));
    EXPECT_EQ(tree.nodes.size(), 16U);
    ASSERT_EQ(tree.remarks.size(), 1U);
    EXPECT_TRUE(tree.remarks[0].starts_with("switch \"storage\" is taken as another network"));
  }
}

// Two rails: every node is on two leaves. Node n4 lacks one of them and stays with its like.
TEST(SiteTree, NodesOnTheSameLeavesAreAUnit) {
  NamedTopology site;
  site.switches = {{"r0", {}, {"n1", "n2", "n3", "n4"}},
                   {"r1", {}, {"n1", "n2", "n3"}},
                   {"q0", {}, {"m1", "m2"}},
                   {"q1", {}, {"m1", "m2"}},
                   {"s", {"r0", "r1", "q0", "q1"}, {}}};
  const SiteTree tree = tree_from(site);
  EXPECT_EQ(domains(tree, Level::kUnit), (Names{"q0+1", "r0+1"}));
  ASSERT_EQ(tree.nodes.size(), 6U);
  EXPECT_EQ(tree.nodes[5].name, "n4");
  EXPECT_EQ(tree.nodes[5].cell, DomainId(1));
}

TEST(SiteTree, BlocksAreTheLowestLevel) {
  NamedTopology site;
  site.switches = {
      {"l1", {}, numbered("n", 1, 4)}, {"l2", {}, numbered("n", 5, 6)}, {"s", {"l1", "l2"}, {}}};
  site.blocks = {{"rack2", {"n3", "n2"}}, {"rack1", {"n1", "x9"}}, {"rack3", {"n5", "n6"}}};
  const SiteTree tree = tree_from(site);
  EXPECT_EQ(tree.locality.levels.front().level, Level::kBlock);
  EXPECT_EQ(domains(tree, Level::kBlock), (Names{"rack1", "rack2", "n4", "rack3"}));
  EXPECT_EQ(tree.nodes[2].name, "n3");
  EXPECT_EQ(tree.nodes[2].cell, DomainId(1));
  ASSERT_EQ(tree.remarks.size(), 2U);
  EXPECT_EQ(tree.remarks[0],
            "1 of 6 nodes are in no block (\"n4\"): each counts as a block of its own");
  EXPECT_EQ(tree.remarks[1], "1 nodes of the blocks are not in the fabric: \"x9\"");
}

TEST(SiteTree, ABlockAcrossUnitsIsRefused) {
  NamedTopology site;
  site.switches = {{"l1", {}, {"n1"}}, {"l2", {}, {"n2"}}};
  site.blocks = {{"rack1", {"n1", "n2"}}};
  EXPECT_EQ(tree_of(site).error().message,
            "expected the nodes of block \"rack1\" in one unit, found \"n1\" in \"l1\" and \"n2\" "
            "in \"l2\": correct the list of blocks, or the cables");
}

TEST(SiteTree, BlocksAloneAreOneUnit) {
  NamedTopology site;
  site.blocks = {{"b1", {"n3", "n4"}}, {"b2", {"n1", "n2"}}};
  const SiteTree tree = tree_from(site);
  EXPECT_TRUE(tree.locality.known);
  EXPECT_EQ(domains(tree, Level::kBlock), (Names{"b2", "b1"}));
  EXPECT_EQ(domains(tree, Level::kUnit), (Names{"unit"}));
}

TEST(NamedTopology, SeveralFilesMakeOneButNoSwitchTwice) {
  NamedTopology tree;
  tree.switches = {{"l1", {}, {"n1"}, 1}};
  NamedTopology blocks;
  blocks.blocks = {{"b1", {"n1"}, 1}};
  const auto both = merge({tree, blocks});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->switches.size() + both->blocks.size(), 2U);
  EXPECT_EQ(merge({tree, tree}).error().message, "expected each switch once, found \"l1\" again");
}

}  // namespace
}  // namespace weir::fabric
