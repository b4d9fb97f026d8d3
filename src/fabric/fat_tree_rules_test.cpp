#include "fabric/fat_tree_rules.hpp"

#include <gtest/gtest.h>

#include "fabric/site_view.hpp"

namespace weir::fabric {
namespace {

FatTreeWish wish_of(std::uint32_t nodes, std::uint32_t rails, std::uint32_t planes,
                    std::uint32_t ports) {
  FatTreeWish wish;
  wish.nodes = nodes;
  wish.rails = rails;
  wish.planes = planes;
  wish.switch_ports = ports;
  return wish;
}

TEST(FatTreeRules, MakeTreesOfAnySizeThatOurAnalysisUnderstands) {
  for (const std::uint32_t ports : {8U, 16U, 36U, 40U, 64U})
    for (const std::uint32_t rails : {1U, 2U, 4U})
      for (const std::uint32_t nodes : {2U, 9U, 33U, 100U, 200U}) {
        SCOPED_TRACE(testing::Message() << ports << " ports, " << rails << " x " << nodes);
        const Result<FatTree> plan = plan_fat_tree(wish_of(nodes, rails, 1, ports));
        if (!plan) {
          EXPECT_NE(plan.error().message.find("more planes"), std::string::npos);
          continue;
        }
        const SiteView view = analyse(generate(*plan).value());
        EXPECT_TRUE(view.graph.complete());
        EXPECT_EQ(view.planes.size(), 1U);
        EXPECT_EQ(view.nodes.size(), nodes);
        EXPECT_EQ(view.units.size(), (nodes + ports / 2 - 1) / (ports / 2));
        for (const Tier& tier : view.fabrics.at(0).tiers) {
          if (tier.links_up != 0) {
            EXPECT_LE(tier.links_down, tier.links_up);
          }
        }
      }
}

TEST(FatTreeRules, SpreadALargeSiteOverPlanes) {
  const FatTree plan = plan_fat_tree(wish_of(1'024, 8, 8, 64)).value();
  const SiteView view = analyse(generate(plan).value());
  EXPECT_EQ(view.planes.size(), 8U);
  EXPECT_EQ(view.fabrics.size(), 1U);
  EXPECT_EQ(view.nodes.size(), 1'024U);
  EXPECT_EQ(view.units.size(), 32U);
  EXPECT_TRUE(view.oddities.empty());
  EXPECT_EQ(generate_planes(plan).value().size(), 8U);
}

TEST(FatTreeRules, HoldTheLargestSiteInEightPlanesAndRefuseFewer) {
  const FatTreeCounts counts =
      count_switches(plan_fat_tree(wish_of(16'384, 8, 8, 64)).value()).value();
  EXPECT_EQ(counts.leaves, 8U * 512U);
  EXPECT_EQ(counts.spines, 8U * 512U);
  EXPECT_EQ(counts.cores, 8U * 256U);
  for (const std::uint32_t planes : {1U, 2U}) {
    const Result<FatTree> fewer = plan_fat_tree(wish_of(16'384, 8, planes, 64));
    ASSERT_FALSE(fewer);
    EXPECT_EQ(fewer.error().code, Errc::kLimit);
    EXPECT_NE(fewer.error().message.find("LIDs end at 49,151"), std::string::npos);
  }
}

TEST(FatTreeRules, OversubscribeOnRequest) {
  FatTreeWish wish = wish_of(256, 4, 1, 64);
  wish.leaf_uplinks = 16;
  const SiteView view = analyse(generate(plan_fat_tree(wish).value()).value());
  EXPECT_EQ(view.fabrics[0].tiers[0].links_down, 1'024U);
  EXPECT_EQ(view.fabrics[0].tiers[0].links_up, 512U);
}

TEST(FatTreeRules, RefuseWhatIsNoTree) {
  EXPECT_FALSE(plan_fat_tree(wish_of(0, 8, 1, 64)));
  EXPECT_FALSE(plan_fat_tree(wish_of(64, 8, 3, 64)));
  EXPECT_FALSE(plan_fat_tree(wish_of(64, 8, 1, 63)));
  EXPECT_FALSE(plan_fat_tree(wish_of(20'000, 8, 1, 16)));
}

}  // namespace
}  // namespace weir::fabric
