// Every reason a person can be told, with the scene that gives it and its sentence.
#include "sched/explain/explain.hpp"

#include <gtest/gtest.h>

#include "sched/placement/test_cluster.hpp"

namespace weir::sched {
namespace {

using testing::Cluster;
using testing::even_site;
using testing::gang_job;
using testing::units_of;

state::Shape shape_of(const Job& job) { return {job.gang, job.requirement, job.wish}; }

std::string never(const Cluster& cluster, const Job& job) {
  const Reason reason = why_never(cluster.pool, shape_of(job));
  EXPECT_EQ(reason.is_hard(), reason.code != ReasonCode::kNone);
  return sentence(reason);
}
std::string now(const Cluster& cluster, const Job& job) {
  EXPECT_EQ(why_never(cluster.pool, shape_of(job)).code, ReasonCode::kNone);
  const Reason reason = why_not_now(cluster.pool, shape_of(job));
  EXPECT_FALSE(reason.is_hard());
  EXPECT_EQ(reason.code == ReasonCode::kNone, cluster.place(job).has_value());
  return sentence(reason);
}

const std::string kNothing = "nothing stands in its way";

// Two H100 nodes of partition train in unit 0, two nodes without a name for anything in unit 1.
Cluster mixed() {
  auto site = units_of({2, 2});
  for (const std::size_t i : {0U, 1U}) {
    site.nodes[i].kind = {"H100", {8, 64, 512}, {"train"}, {"ib", "nvlink"}};
    site.nodes[i].rails = 0b11;
  }
  return Cluster(site);
}

TEST(WhyNever, NamesThePartitionModelOrFeaturesThatNoNodeHas) {
  const Cluster cluster = mixed();
  Job job = gang_job(1, 8);
  EXPECT_EQ(never(cluster, job), kNothing);
  job.requirement.partition = "infer";
  EXPECT_EQ(never(cluster, job),
            "no node belongs to partition infer; name a partition of this site");
  job.requirement = {};
  job.requirement.gpu_models = {"A100"};
  EXPECT_EQ(never(cluster, job), "no eligible node has GPUs of model A100");
  job.requirement = {};
  job.requirement.features = {"ib", "scratch"};
  EXPECT_EQ(never(cluster, job), "no eligible node has the features ib+scratch");
}

TEST(WhyNever, NamesWhatTheLargestEligibleNodeHas) {
  Cluster cluster([] {
    auto site = units_of({2});
    site.nodes[0].kind.total.cpu_milli = 64'000;
    site.nodes[1].kind.total = {4, 128'000, 1024};
    return site;
  }());
  Job job = gang_job(1, 9);
  EXPECT_EQ(never(cluster, job), "asks 9 GPUs a node; the largest eligible node has 8");
  job.gang.per_node = {1, 200'500, 0};
  EXPECT_EQ(never(cluster, job), "asks 200.5 CPUs a node; the largest eligible node has 128");
  job.gang.per_node = {1, 0, 2000};
  EXPECT_EQ(never(cluster, job),
            "asks 2000 MiB of memory a node; the largest eligible node has 1024 MiB");
  job.gang.per_node = {8, 100'000, 0};  // either alone exists, both together do not
  EXPECT_EQ(never(cluster, job), "asks 100 CPUs a node; the largest eligible node has 64");
}

TEST(WhyNever, NamesTheRailsThatNoNodeHas) {
  const Cluster cluster = mixed();
  Job job = gang_job(2, 8);
  job.requirement.rails = 0b100;
  EXPECT_EQ(never(cluster, job), "no eligible node has all the asked rails linked (mask 0x4)");
  job.gang.nodes = 1;
  EXPECT_EQ(never(cluster, job), kNothing);
}

TEST(WhyNever, NamesHowManyNodesTheBestDomainHas) {
  const Cluster cluster(even_site(2, 1, 2, 2));
  Job job = gang_job(5, 8);
  EXPECT_EQ(never(cluster, job), "asks 5 nodes; the largest fabric has 4 eligible ones");
  job = gang_job(4, 8);
  job.gang.tail.gpus = 1;
  EXPECT_EQ(never(cluster, job), "asks 5 nodes; the largest fabric has 4 eligible ones");
  job = gang_job(3, 8);
  job.wish.require = Level::kUnit;
  EXPECT_EQ(never(cluster, job), "asks 3 nodes; the largest unit has 2 eligible ones");
}

TEST(WhyNever, NamesTheSegmentsThatFit) {
  const Cluster cluster(units_of({3, 3}));
  Job job = gang_job(6, 8);
  job.wish.segment_nodes = 2;
  EXPECT_EQ(never(cluster, job), "asks 3 segments; the largest fabric holds 2");
  job.gang.nodes = 4;
  EXPECT_EQ(never(cluster, job), kNothing);
}

TEST(WhyNever, NamesTheLevelThatTheSiteLacks) {
  const Cluster cluster(units_of({2}));
  for (const int which : {0, 1, 2}) {
    Job job = gang_job(2, 8);
    if (which == 0) job.wish.require = Level::kBlock;
    if (which == 1) job.wish.exclusive = Level::kBlock;
    if (which == 2) job.wish = {{}, {}, 2, Level::kBlock, {}};
    EXPECT_EQ(never(cluster, job), "this site has no level block; the wish cannot be met");
  }
}

TEST(WhyNever, WithoutNodesNothingStarts) {
  EXPECT_EQ(never(Cluster(units_of({0})), gang_job(1, 8)),
            "asks 1 nodes; the largest site has 0 eligible ones");
}

TEST(WhyNever, DoesNotCountWhatIsTakenDrainedOrGradedLow) {
  Cluster cluster(units_of({2}));
  cluster.occupy_all_gpus({0});
  cluster.pool.set_availability(NodeId(1), Availability::kDown);
  ASSERT_TRUE(cluster.pool.grade(NodeId(1), Grade::kBad));
  EXPECT_EQ(never(cluster, gang_job(2, 8)), kNothing);
}

TEST(WhyNotNow, NamesHowManyMoreNodesWouldDo) {
  Cluster cluster(units_of({4}));
  EXPECT_EQ(now(cluster, gang_job(4, 8)), kNothing);
  cluster.occupy_all_gpus({0});
  EXPECT_EQ(now(cluster, gang_job(4, 8)),
            "needs 4 free nodes in one fabric; the best has 3 now: 1 more would let it start");
}

TEST(WhyNotNow, NamesTheMostThatIsFreeOfOneGpu) {
  Cluster cluster(units_of({2}));
  Job job = gang_job(1, 0);
  job.gang.per_node = {0, 0, 0, 460};
  cluster.occupy_all_gpus({0});
  EXPECT_EQ(now(cluster, job), kNothing);
  cluster.occupy(1, {7, 0, 0});
  cluster.occupy(1, {0, 0, 0, 700});
  EXPECT_EQ(now(cluster, job), "needs 0.46 of a GPU; the most that is free of one is 0.3 now");
  job.gang.per_node = {0, 1, 0, 300};
  EXPECT_EQ(now(cluster, job), kNothing);
  cluster.occupy(1, {0, 64, 0});
  EXPECT_EQ(now(cluster, job),
            "needs 0.3 of a GPU; the nodes that have it lack CPUs or memory now");
}

TEST(WhyNever, AShareNeedsANodeWithAGpu) {
  const Cluster cluster([] {
    auto site = units_of({1});
    site.nodes[0].kind.total = {0, 64, 512};
    return site;
  }());
  Job job = gang_job(1, 0);
  job.gang.per_node = {0, 0, 0, 500};
  EXPECT_EQ(never(cluster, job), "asks 1 GPUs a node; the largest eligible node has 0");
}

TEST(WhyNotNow, NamesTheTailWhenOnlyThatIsMissing) {
  Cluster cluster(units_of({3}));
  cluster.occupy(2, {7, 0, 0});
  Job job = gang_job(2, 8);
  job.gang.tail.gpus = 2;
  EXPECT_EQ(now(cluster, job),
            "its whole nodes fit, but no further node has 2 free GPUs for the rest");
}

TEST(WhyNotNow, NamesTheSegmentsThatFitNow) {
  Cluster cluster(units_of({2, 2}));
  cluster.occupy_all_gpus({1});
  cluster.occupy(3, {1, 0, 0});
  Job job = gang_job(2, 7);
  job.wish.segment_nodes = 2;
  EXPECT_EQ(now(cluster, job), kNothing);
  job.gang.per_node.gpus = 8;
  EXPECT_EQ(now(cluster, job), "needs 1 segments in one fabric; the best holds 0 now");
}

TEST(WhyNotNow, NamesTheGradeWhenIdleNodesWouldNotDoEither) {
  Cluster cluster(units_of({3}));
  ASSERT_TRUE(cluster.pool.grade(NodeId(0), Grade::kPoor));
  EXPECT_EQ(now(cluster, gang_job(3, 8)),
            "needs 3 nodes graded watch or better; the best fabric has 2");
  auto site = units_of({2});
  for (Node& node : site.nodes) node.grade = Grade::kBad;
  EXPECT_EQ(now(Cluster(site), gang_job(2, 8)),
            "needs 2 nodes graded watch or better; the best site has 0");
}

TEST(WhyNotNow, DrainedNodesAreNotFree) {
  Cluster cluster(units_of({2}));
  cluster.pool.set_availability(NodeId(0), Availability::kDrained);
  EXPECT_EQ(now(cluster, gang_job(2, 8)),
            "needs 2 free nodes in one fabric; the best has 1 now: 1 more would let it start");
}

}  // namespace
}  // namespace weir::sched
