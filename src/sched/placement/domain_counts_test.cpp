#include "sched/placement/domain_counts.hpp"

#include <gtest/gtest.h>

#include "sched/placement/test_cluster.hpp"

namespace weir::sched {
namespace {

using testing::Cluster;
using testing::even_site;
using testing::gang_job;
using testing::Nodes;

// Two pods of two units with three nodes each.
class DomainCountsTest : public ::testing::Test {
 protected:
  Nodes nodes(const Job& job, std::size_t depth) {
    EXPECT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(job)));
    const auto counts = counts_.nodes(depth);
    return {counts.begin(), counts.end()};
  }
  Nodes groups(const Job& job, std::size_t depth) {
    EXPECT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(job)));
    const auto counts = counts_.groups(depth);
    return {counts.begin(), counts.end()};
  }

  Cluster cluster_{even_site(1, 2, 2, 3)};
  DomainCounts counts_;
};

TEST_F(DomainCountsTest, CountsServingNodesOfEveryLevel) {
  cluster_.occupy(0, {1, 0, 0});
  EXPECT_EQ(nodes(gang_job(2, 8), 0), (Nodes{2, 3, 3, 3}));
  EXPECT_EQ(nodes(gang_job(2, 8), 1), (Nodes{5, 6}));
  EXPECT_EQ(nodes(gang_job(2, 8), 3), (Nodes{11}));
  EXPECT_EQ(nodes(gang_job(2, 7), 0), (Nodes{3, 3, 3, 3}));
}

TEST_F(DomainCountsTest, LooksAtNodesWhereTheCountersCannotTell) {
  cluster_.occupy(0, {1, 60, 0});
  Job job = gang_job(2, 1);
  EXPECT_EQ(nodes(job, 0), (Nodes{3, 3, 3, 3}));
  job.gang.per_node.cpu_milli = 5;  // within the share, but n0 has only 4 left
  EXPECT_EQ(nodes(job, 0), (Nodes{2, 3, 3, 3}));
  cluster_.occupy(4, {0, 30, 0});
  job.gang.per_node.cpu_milli = 40;  // beyond the share
  EXPECT_EQ(nodes(job, 0), (Nodes{2, 2, 3, 3}));
  EXPECT_EQ(nodes(job, 1), (Nodes{4, 6}));
}

TEST_F(DomainCountsTest, CountsWholeSegmentsFromTheirLevelUp) {
  Job job = gang_job(4, 8);
  job.wish.segment_nodes = 2;
  EXPECT_EQ(groups(job, 0), (Nodes{1, 1, 1, 1}));
  EXPECT_EQ(groups(job, 1), (Nodes{2, 2}));
  job.wish.segment_level = Level::kPod;
  EXPECT_EQ(groups(job, 1), (Nodes{3, 3})) << "a pod's six nodes are three pairs";
  EXPECT_EQ(groups(job, 2), (Nodes{6}));
}

TEST_F(DomainCountsTest, ForAnExclusiveGangOnlyIdleDomainsCount) {
  cluster_.occupy(0, {1, 0, 0});
  Job job = gang_job(2, 1);
  job.wish.exclusive = Level::kUnit;
  EXPECT_EQ(nodes(job, 0), (Nodes{0, 3, 3, 3}));
  job.wish.exclusive = Level::kPod;
  EXPECT_EQ(nodes(job, 0), (Nodes{0, 0, 3, 3}));
  EXPECT_EQ(nodes(job, 1), (Nodes{0, 6}));
}

TEST_F(DomainCountsTest, TheTightestDomainThatHoldsTheGangWins) {
  cluster_.occupy_all_gpus({4, 7});
  ASSERT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(gang_job(2, 8))));
  EXPECT_EQ(counts_.tightest(0), DomainId(1)) << "units 1 and 2 have two; the lower of them";
  ASSERT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(gang_job(3, 8))));
  EXPECT_EQ(counts_.tightest(0), DomainId(0));
  ASSERT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(gang_job(4, 8))));
  EXPECT_TRUE(counts_.tightest(0).is_none());
  EXPECT_EQ(counts_.tightest(1), DomainId(0));
}

TEST_F(DomainCountsTest, ADomainHoldsATailOnOneMoreNode) {
  Job job = gang_job(3, 8);
  job.gang.tail.gpus = 1;
  ASSERT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(job)));
  EXPECT_FALSE(counts_.holds_gang(0, DomainId(0)));
  EXPECT_TRUE(counts_.holds_gang(1, DomainId(0)));
}

TEST_F(DomainCountsTest, AGangMayLieInAFabricAtMostAndOneNodeAnywhere) {
  ASSERT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(gang_job(2, 8))));
  EXPECT_EQ(counts_.depths().widest, 2U);
  ASSERT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(gang_job(1, 8))));
  EXPECT_EQ(counts_.depths().widest, 3U);
  Job job = gang_job(2, 8);
  job.wish.require = Level::kPod;
  ASSERT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(job)));
  EXPECT_EQ(counts_.depths().widest, 1U);
  job.wish.require = Level::kSite;
  ASSERT_TRUE(counts_.compute(cluster_.pool.free(), cluster_.request(job)));
  EXPECT_EQ(counts_.depths().widest, 2U) << "a wish cannot join fabrics";
}

TEST_F(DomainCountsTest, AWishForALevelThatTheTreeLacksCannotBeCounted) {
  Job job = gang_job(2, 8);
  job.wish.exclusive = Level::kBlock;
  EXPECT_FALSE(counts_.compute(cluster_.pool.free(), cluster_.request(job)));
}

}  // namespace
}  // namespace weir::sched
