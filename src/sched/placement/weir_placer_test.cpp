// The rules by which Weir places, each as a small scene.
#include "sched/placement/weir_placer.hpp"

#include <gtest/gtest.h>

#include "sched/placement/test_cluster.hpp"

namespace weir::sched {
namespace {

using testing::Cluster;
using testing::even_site;
using testing::gang_job;
using testing::Nodes;
using testing::units_of;

TEST(WeirPlacerOneNode, ASmallJobGoesToTheTightestNode) {
  Cluster cluster(units_of({3}));
  cluster.occupy(1, {3, 0, 0});
  cluster.occupy(2, {6, 0, 0});
  EXPECT_EQ(cluster.nodes_for(gang_job(1, 2)), (Nodes{2}));
  EXPECT_EQ(cluster.nodes_for(gang_job(1, 3)), (Nodes{1}));
  EXPECT_EQ(cluster.nodes_for(gang_job(1, 6)), (Nodes{0}));
  EXPECT_EQ(cluster.nodes_for(gang_job(1, 9)), (Nodes{}));
}

TEST(WeirPlacerOneNode, AmongEqualNodesTheUnitWithFewestIdleOnesGivesIt) {
  Cluster cluster(units_of({3, 3}));
  cluster.occupy(3, {8, 0, 0});
  EXPECT_EQ(cluster.nodes_for(gang_job(1, 4)), (Nodes{4})) << "unit 0 stays whole for gangs";
  Cluster equal(units_of({2, 2}));
  EXPECT_EQ(equal.nodes_for(gang_job(1, 4)), (Nodes{0})) << "the lowest of equals";
}

TEST(WeirPlacerOneNode, ANodeThatLacksCpusOrMemoryDoesNotServe) {
  Cluster cluster(units_of({2}));
  cluster.occupy(0, {6, 60, 0});
  Job job = gang_job(1, 2);
  job.gang.per_node.cpu_milli = 5;
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{1}));
  job.gang.per_node.cpu_milli = 4;
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{0}));
  job.gang.per_node.memory_mib = 513;
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{}));
}

TEST(WeirPlacerOneNode, AJobWithoutGpusTakesANodeWithoutGpusFirst) {
  testing::Cluster cluster([] {
    auto site = units_of({2});
    site.nodes[1].kind.total = {0, 64, 512};
    return site;
  }());
  Job job = gang_job(1, 0);
  job.gang.per_node.cpu_milli = 8;
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{1}));
  cluster.occupy(1, {0, 60, 0});
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{0}));
}

struct GangCase {
  const char* rule;
  std::vector<std::uint32_t> free_by_unit;
  std::uint32_t nodes;
  std::vector<std::uint32_t> expected;
};

TEST(WeirPlacerGang, TakesTheSmallestDomainAndInItAFewTightUnits) {
  for (const GangCase& one : std::vector<GangCase>{
           {"a unit that just fits", {20, 4, 9, 20}, 4, {0, 4, 0, 0}},
           {"the tightest unit that fits", {20, 4, 9, 20}, 5, {0, 0, 5, 0}},
           {"the lowest among equally tight ones", {20, 7, 7, 20}, 6, {0, 6, 0, 0}},
           {"the fewest units, and tight ones", {12, 13, 20, 20}, 32, {12, 0, 20, 0}},
           {"two that fit exactly", {12, 8, 20, 20}, 28, {0, 8, 20, 0}},
           {"the largest of a tight pair keeps what is over", {10, 11, 12, 0}, 21, {10, 11, 0, 0}},
           {"all of them when all are needed", {5, 5, 5, 5}, 20, {5, 5, 5, 5}},
       }) {
    Cluster cluster(units_of({20, 20, 20, 20}));
    for (std::uint32_t unit = 0; unit < 4; ++unit)
      for (std::uint32_t i = one.free_by_unit[unit]; i < 20; ++i)
        cluster.occupy(unit * 20 + i, {8, 0, 0});
    EXPECT_EQ(cluster.by_unit(gang_job(one.nodes, 8)), one.expected) << one.rule;
  }
}

TEST(WeirPlacerGang, APodIsPreferredToTwoPods) {
  Cluster cluster(even_site(1, 2, 2, 4));
  cluster.leave_free({4, 1, 3, 3});
  EXPECT_EQ(cluster.by_unit(gang_job(6, 8)), (Nodes{0, 0, 3, 3}));
  EXPECT_EQ(cluster.place(gang_job(6, 8))->spans, Level::kPod);
  EXPECT_EQ(cluster.place(gang_job(4, 8))->spans, Level::kUnit);
  EXPECT_EQ(cluster.place(gang_job(7, 8))->spans, Level::kFabric);
  EXPECT_FALSE(cluster.place(gang_job(12, 8)));
}

TEST(WeirPlacerGang, RanksLieAlongTheUnits) {
  Cluster cluster(units_of({3, 3}));
  cluster.occupy(1, {8, 0, 0});
  EXPECT_EQ(cluster.nodes_for(gang_job(5, 8)), (Nodes{0, 2, 3, 4, 5}));
}

TEST(WeirPlacerGang, PartNodesAreTakenFromTheFullestNodesOfAUnit) {
  Cluster cluster(units_of({4}));
  cluster.occupy(1, {4, 0, 0});
  cluster.occupy(3, {2, 0, 0});
  EXPECT_EQ(cluster.nodes_for(gang_job(2, 4)), (Nodes{1, 3}));
}

TEST(WeirPlacerGang, NeverSpansTwoFabrics) {
  Cluster cluster(even_site(2, 1, 2, 2));
  EXPECT_EQ(cluster.nodes_for(gang_job(4, 8)), (Nodes{0, 1, 2, 3}));
  cluster.occupy(0, {8, 0, 0});
  EXPECT_EQ(cluster.nodes_for(gang_job(4, 8)), (Nodes{4, 5, 6, 7}));
  cluster.occupy(7, {8, 0, 0});
  EXPECT_FALSE(cluster.place(gang_job(4, 8))) << "six nodes are free, but three in each fabric";
  Job tail = gang_job(3, 8);
  tail.gang.tail.gpus = 1;
  EXPECT_FALSE(cluster.place(tail)) << "the tail belongs to the gang";
}

TEST(WeirPlacerGang, TakesOnlyNodesWithTheRails) {
  Cluster cluster([] {
    auto site = units_of({4});
    site.nodes[0].rails = 0b01;
    for (const std::size_t both : {1U, 2U}) site.nodes[both].rails = 0b11;
    return site;
  }());
  Job job = gang_job(2, 8);
  job.requirement.rails = 0b11;
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{1, 2}));
  job.gang.nodes = 3;
  EXPECT_FALSE(cluster.place(job));
  job.gang.nodes = 1;
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{0})) << "one node alone needs no rail";
}

TEST(WeirPlacerGang, TakesOnlyNodesOfTheGrade) {
  Cluster cluster(units_of({3}));
  ASSERT_TRUE(cluster.pool.grade(NodeId(0), Grade::kPoor));
  ASSERT_TRUE(cluster.pool.grade(NodeId(1), Grade::kWatch));
  Job job = gang_job(2, 8);
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{1, 2}));
  job.requirement.worst_grade = Grade::kGood;
  EXPECT_FALSE(cluster.place(job));
  job.gang.nodes = 3;
  job.requirement.worst_grade = Grade::kPoor;
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{0, 1, 2}));
}

TEST(WeirPlacerTail, GoesToTheTightestNodeOfAUnitTheGangUses) {
  Cluster cluster(units_of({4, 4}));
  cluster.occupy(3, {5, 0, 0});
  cluster.occupy(4, {6, 0, 0});
  Job job = gang_job(2, 8);
  job.gang.tail.gpus = 2;
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{0, 1, 3})) << "n4 is tighter, but in another unit";
}

TEST(WeirPlacerTail, LeavesTheUnitOnlyWhenItMust) {
  Cluster cluster(units_of({2, 4}));
  Job job = gang_job(2, 8);
  job.gang.tail.gpus = 2;
  EXPECT_EQ(cluster.by_unit(job), (Nodes{0, 3})) << "unit 1 holds all three";
  cluster.occupy_all_gpus({2, 3, 4});
  cluster.occupy(5, {6, 0, 0});
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{0, 1, 5}));
  cluster.occupy(5, {1, 0, 0});
  EXPECT_FALSE(cluster.place(job));
}

TEST(WeirPlacerTail, NeverSharesANodeWithItsOwnGang) {
  Cluster cluster(units_of({2}));
  Job job = gang_job(2, 4);
  job.gang.tail.gpus = 2;
  EXPECT_FALSE(cluster.place(job)) << "each node has 4 left beside its part, but nodes differ";
}

TEST(WeirPlacerWish, RequireKeepsTheGangInsideOneDomain) {
  Cluster cluster(even_site(1, 2, 2, 4));
  Job job = gang_job(5, 8);
  job.wish.require = Level::kUnit;
  EXPECT_FALSE(cluster.place(job));
  job.wish.require = Level::kPod;
  EXPECT_EQ(cluster.by_unit(job), (Nodes{4, 1, 0, 0}));
  job.gang.nodes = 9;
  EXPECT_FALSE(cluster.place(job));
}

TEST(WeirPlacerWish, ALevelThatTheSiteLacksIsNeverMet) {
  Cluster cluster(units_of({4}));
  for (const std::uint32_t nodes : {1U, 2U}) {
    Job job = gang_job(nodes, 8);
    job.wish.require = Level::kBlock;
    EXPECT_FALSE(cluster.place(job));
    job.wish = {};
    job.wish.exclusive = Level::kBlock;
    EXPECT_FALSE(cluster.place(job));
    job.wish = {};
    job.wish.segment_nodes = 1;
    job.wish.segment_level = Level::kBlock;
    EXPECT_FALSE(cluster.place(job));
    job.wish = {};
    job.wish.prefer = Level::kBlock;
    EXPECT_TRUE(cluster.place(job)) << "a preference stops nobody";
  }
}

TEST(WeirPlacerWish, SegmentsStayTogetherAndFillUnitsInWholeSegments) {
  Cluster cluster(units_of({3, 3, 4}));
  Job job = gang_job(6, 8);
  job.wish.segment_nodes = 2;
  EXPECT_EQ(cluster.by_unit(job), (Nodes{2, 0, 4}));
  job.gang.nodes = 8;
  EXPECT_EQ(cluster.by_unit(job), (Nodes{2, 2, 4}));
  job.gang.nodes = 10;
  EXPECT_FALSE(cluster.place(job)) << "ten nodes are free, but only four pairs";
  job.gang.nodes = 2;
  EXPECT_EQ(cluster.by_unit(job), (Nodes{2, 0, 0}));
}

TEST(WeirPlacerWish, SegmentsOfPodsMayCrossUnits) {
  Cluster cluster(even_site(1, 2, 2, 3));
  Job job = gang_job(10, 8);
  job.wish.segment_nodes = 5;
  job.wish.segment_level = Level::kPod;
  const auto units = cluster.by_unit(job);
  EXPECT_EQ(units[0] + units[1], 5U);
  EXPECT_EQ(units[2] + units[3], 5U);
}

TEST(WeirPlacerWish, AnExclusiveGangTakesOnlyIdleDomains) {
  Cluster cluster(units_of({3, 3, 4}));
  cluster.occupy(0, {1, 0, 0});
  Job job = gang_job(2, 8);
  job.wish.exclusive = Level::kUnit;
  EXPECT_EQ(cluster.by_unit(job), (Nodes{0, 2, 0}));
  cluster.occupy(3, {1, 0, 0});
  EXPECT_EQ(cluster.by_unit(job), (Nodes{0, 0, 2}));
  job.wish.exclusive = Level::kPod;
  EXPECT_FALSE(cluster.place(job));
  Job one = gang_job(1, 1);
  one.wish.exclusive = Level::kUnit;
  EXPECT_EQ(cluster.by_unit(one), (Nodes{0, 0, 1})) << "jobs on one node may have a unit, too";
}

TEST(WeirPlacerWish, AnExclusiveGangFitsItsOwnFabricEvenIfAnotherIsInUse) {
  Cluster cluster(even_site(2, 1, 2, 2));
  cluster.occupy(0, {1, 0, 0});
  Job job = gang_job(2, 8);
  job.wish.exclusive = Level::kFabric;
  EXPECT_EQ(cluster.nodes_for(job), (Nodes{4, 5}));
}

TEST(WeirPlacer, IgnoresDrainedDownAndClosedNodes) {
  Cluster cluster(units_of({2, 2}));
  cluster.pool.set_availability(NodeId(0), Availability::kDrained);
  cluster.pool.set_availability(NodeId(2), Availability::kDown);
  EXPECT_FALSE(cluster.place(gang_job(3, 8)));
  EXPECT_EQ(cluster.nodes_for(gang_job(2, 8)), (Nodes{1, 3}));
  cluster.pool.grant(
      JobId(1),
      {{cluster.pool.part_on(NodeId(3), {1, 0, 0})}, {}, testing::at_second(9), {}, Level::kUnit});
  EXPECT_EQ(cluster.nodes_for(gang_job(1, 1)), (Nodes{1}));
}

}  // namespace
}  // namespace weir::sched
