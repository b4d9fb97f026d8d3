// Who tests the tester: the slow model on examples small enough to answer by hand.
#include <gtest/gtest.h>

#include "property/slow_placement.hpp"
#include "property/slow_queue.hpp"

namespace weir::slow {
namespace {

// Two fabrics; the first has pods {u0 u1} {u2}, the second {u3}. Four nodes with 8 GPUs a unit.
Cluster sample() {
  Cluster cluster;
  const auto table = [](Level level, std::vector<std::uint32_t> parents) {
    LevelTable made{level, {}};
    for (const std::uint32_t parent : parents) made.domains.push_back({DomainId(parent), "d"});
    return made;
  };
  const std::uint32_t none = DomainId::none().value();
  cluster.locality.levels = {table(Level::kUnit, {0, 0, 1, 2}), table(Level::kPod, {0, 0, 1}),
                             table(Level::kFabric, {0, 0}), table(Level::kSite, {none})};
  for (std::uint32_t i = 0; i < 16; ++i) {
    Node node;
    node.name = "n";
    node.kind.total = {8, 32, 800};
    node.cell = DomainId(i / 4);
    node.rails = 0xf;
    cluster.nodes.push_back(node);
  }
  return cluster;
}

Ask ask_for(std::uint32_t nodes, std::uint32_t gpus) {
  Ask ask;
  ask.gang.nodes = nodes;
  ask.gang.per_node = {gpus, 0, 0};
  return ask;
}

void lease(Cluster& cluster, std::uint64_t job, std::uint32_t node, GpuMask gpus, Instant until) {
  Lease made;
  made.parts = {{NodeId(node), gpus, 0, 0}};
  made.until = until;
  cluster.leases[JobId(job)] = made;
}

std::optional<Level> smallest(const Cluster& cluster, const Ask& ask) {
  const auto depth = Fit(world_now(cluster), ask).smallest();
  if (!depth) return std::nullopt;
  return cluster.locality.levels[*depth].level;
}

TEST(SlowModel, FindsTheSmallestLevel) {
  const Cluster cluster = sample();
  EXPECT_EQ(smallest(cluster, ask_for(4, 8)), Level::kUnit);
  EXPECT_EQ(smallest(cluster, ask_for(5, 8)), Level::kPod);
  EXPECT_EQ(smallest(cluster, ask_for(9, 8)), Level::kFabric);
  EXPECT_EQ(smallest(cluster, ask_for(13, 8)), std::nullopt) << "nothing joins the two fabrics";
  EXPECT_EQ(smallest(cluster, ask_for(1, 9)), std::nullopt);
}

TEST(SlowModel, ATailNeedsANodeOfItsOwn) {
  Ask ask = ask_for(4, 8);
  ask.gang.tail = {1, 0, 0};
  EXPECT_EQ(smallest(sample(), ask), Level::kPod);
  ask.wish.require = Level::kUnit;
  EXPECT_EQ(smallest(sample(), ask), std::nullopt);
}

TEST(SlowModel, SegmentsAreWhole) {
  Ask ask = ask_for(6, 8);
  ask.wish.segment_nodes = 3;
  EXPECT_EQ(smallest(sample(), ask), Level::kPod);
  ask.gang.nodes = 9;
  EXPECT_EQ(smallest(sample(), ask), Level::kFabric);
  ask.gang.nodes = 12;
  EXPECT_EQ(smallest(sample(), ask), std::nullopt) << "12 nodes are there, but 3 x 3 in segments";
}

TEST(SlowModel, AnExclusiveDomainIsIdleBeforeAndClosedAfter) {
  Cluster cluster = sample();
  lease(cluster, 1, 0, 0x1, Instant(100));
  Ask ask = ask_for(4, 1);
  ask.wish.exclusive = Level::kUnit;
  ask.wish.require = Level::kPod;
  const Fit fit(world_now(cluster), ask);
  EXPECT_TRUE(fit.holds({0, DomainId(1)}));
  EXPECT_FALSE(fit.holds({0, DomainId(0)}));
  cluster.leases[JobId(1)].exclusive = Level::kPod;
  EXPECT_FALSE(world_now(cluster).nodes[7].offered);
  EXPECT_TRUE(world_now(cluster).nodes[8].offered);
}

TEST(SlowModel, TheEarliestStartIsAnEnd) {
  Cluster cluster = sample();
  for (std::uint32_t node = 0; node < 16; ++node)
    lease(cluster, node + 1, node, 0xff, Instant(100 + 10 * std::int64_t{node}));
  EXPECT_EQ(earliest_start(cluster, ask_for(2, 8), Instant(50)), Instant(110));
  EXPECT_EQ(earliest_start(cluster, ask_for(5, 8), Instant(50)), Instant(140));
  // What should have ended is expected at any moment.
  EXPECT_EQ(earliest_start(cluster, ask_for(1, 8), Instant(100)), Instant(101));
}

TEST(SlowModel, WeirPacksAndFirstFitTakesTheLowest) {
  Cluster cluster = sample();
  lease(cluster, 1, 9, 0x1, Instant(100));
  const std::vector<NodeId> lowest{NodeId(0), NodeId(1)};
  const std::vector<NodeId> tightest{NodeId(8), NodeId(10)};
  const Fit whole(world_now(cluster), ask_for(2, 8));
  EXPECT_EQ(choose_first_fit(whole), lowest);
  EXPECT_EQ(choose_weir(whole), tightest) << "unit 2 has only three whole nodes left";
  const Fit one(world_now(cluster), ask_for(1, 1));
  EXPECT_EQ(choose_weir(one), std::vector{NodeId(9)});
}

TEST(SlowModel, OrdersByEachRule) {
  std::map<JobId, Waiting> waiting;
  const auto add = [&](std::uint64_t id, std::int64_t estimate, std::uint32_t gpus, int priority) {
    Waiting& one = waiting[JobId(id)];
    one.job.gang.per_node.gpus = gpus;
    one.job.estimate = Duration(estimate);
    one.job.priority = priority;
    one.submitted = Instant(static_cast<std::int64_t>(id) * 100);
  };
  add(1, 50, 8, 0);
  add(2, 40, 1, 0);
  add(3, 10, 8, 3);
  const auto first = [&](const char* order) {
    return in_order(waiting, order, Duration(100)).front().value();
  };
  EXPECT_EQ(first("fifo"), 1U);
  EXPECT_EQ(first("sjf"), 3U);
  EXPECT_EQ(first("gputime"), 2U);
  EXPECT_EQ(first("gpus"), 2U);
  EXPECT_EQ(first("priority"), 3U) << "300 - 3 x 100 is before 100";
}

}  // namespace
}  // namespace weir::slow
