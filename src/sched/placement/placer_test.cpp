// What all placers have in common, and the baselines that look at nothing more.
#include "sched/placement/placer.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "sched/placement/test_cluster.hpp"

namespace weir::sched {
namespace {

using testing::Cluster;
using testing::even_site;
using testing::gang_job;
using testing::Nodes;
using testing::units_of;

TEST(Placers, HaveNamesAndSummaries) {
  std::vector<std::string_view> names;
  for (const PlacerEntry& entry : placers()) {
    names.push_back(entry.name);
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_NE(entry.make(), nullptr);
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"weir", "firstfit", "random", "slurm", "kueue",
                                                  "kueue-least", "kueue-balanced", "bestfit", "fgd",
                                                  "weir-pack", "spread"}));
}

TEST(FirstFit, TakesTheLowestNodesThatServe) {
  Cluster cluster(units_of({3, 3}));
  cluster.occupy(1, {8, 0, 0});
  EXPECT_EQ(cluster.nodes_for(gang_job(3, 8), "firstfit"), (Nodes{0, 2, 3}));
  EXPECT_EQ(cluster.nodes_for(gang_job(1, 1), "firstfit"), (Nodes{0}));
  Job job = gang_job(2, 8);
  job.gang.tail.gpus = 2;
  EXPECT_EQ(cluster.nodes_for(job, "firstfit"), (Nodes{0, 2, 3}));
  job.wish.require = Level::kUnit;
  EXPECT_EQ(cluster.nodes_for(job, "firstfit"), (Nodes{3, 4, 5})) << "hard rules hold";
}

TEST(FirstFit, TakesTheLowestSegments) {
  Cluster cluster(units_of({3, 3, 4}));
  Job job = gang_job(6, 8);
  job.wish.segment_nodes = 2;
  EXPECT_EQ(cluster.nodes_for(job, "firstfit"), (Nodes{0, 1, 3, 4, 6, 7}));
}

TEST(RandomPlacer, EqualSeedsGiveEqualNodesAndOthersOthers) {
  const Cluster cluster(units_of({20, 20}));
  const auto nodes = [&](std::uint64_t seed) {
    return cluster.place(gang_job(10, 8), "random", seed)->nodes;
  };
  EXPECT_EQ(nodes(1), nodes(1));
  EXPECT_NE(nodes(1), nodes(2));
}

TEST(RandomPlacer, ReachesEveryNodeAndEveryFabric) {
  const Cluster cluster(even_site(2, 1, 2, 2));
  std::set<NodeId> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto placement = cluster.place(gang_job(2, 8), "random", seed);
    seen.insert(placement->nodes.begin(), placement->nodes.end());
  }
  EXPECT_EQ(seen.size(), cluster.pool.nodes());
}

TEST(FinishPlacement, NamesTheSmallestDomainOfAllNodes) {
  const Cluster cluster(even_site(1, 2, 2, 2));
  const auto& index = cluster.pool.free();
  const auto spans = [&](std::vector<std::uint32_t> nodes, std::optional<std::uint32_t> tail) {
    std::vector<pool::Slot> slots;
    for (const std::uint32_t node : nodes) slots.push_back(index.slot_of(NodeId(node)));
    std::optional<pool::Slot> last;
    if (tail) last = index.slot_of(NodeId(*tail));
    return finish_placement(index, slots, last).spans;
  };
  EXPECT_EQ(spans({0}, {}), Level::kUnit);
  EXPECT_EQ(spans({1, 0}, {}), Level::kUnit);
  EXPECT_EQ(spans({0, 2}, {}), Level::kPod);
  EXPECT_EQ(spans({6, 0}, {}), Level::kFabric);
  EXPECT_EQ(spans({2, 3}, 0), Level::kPod) << "the tail counts, also before the rest";
}

// A cluster in any state and a job with any wish.
Cluster any_cluster(Rng& rng) {
  Cluster cluster([&] {
    auto site = even_site(1 + static_cast<std::uint32_t>(rng.below(2)), 2, 2, 3);
    for (Node& node : site.nodes) node.rails = static_cast<RailMask>(rng.below(4) == 0 ? 1 : 3);
    return site;
  }());
  for (std::uint32_t i = 0; i < cluster.pool.nodes(); ++i) {
    if (rng.below(2) == 0)
      cluster.occupy(i, {static_cast<std::uint32_t>(rng.below(9)),
                         static_cast<std::uint32_t>(rng.below(65)), 0});
    if (rng.below(12) == 0) cluster.pool.set_availability(NodeId(i), Availability::kDrained);
  }
  return cluster;
}

Job any_job(Rng& rng) {
  Job job = gang_job(1 + static_cast<std::uint32_t>(rng.below(6)),
                     1 + static_cast<std::uint32_t>(rng.below(8)));
  if (rng.below(3) == 0) job.gang.per_node.cpu_milli = static_cast<std::uint32_t>(rng.below(40));
  if (rng.below(3) == 0) job.requirement.rails = 0b10;
  if (rng.below(3) == 0) job.wish.require = static_cast<Level>(1 + rng.below(4));
  if (rng.below(4) == 0) job.wish.exclusive = static_cast<Level>(1 + rng.below(3));
  if (rng.below(3) == 0) {
    job.gang.tail.gpus = static_cast<std::uint32_t>(rng.below(job.gang.per_node.gpus + 1));
  } else if (job.gang.nodes % 2 == 0 && rng.below(2) == 0) {
    job.wish.segment_nodes = 2;
    job.wish.segment_level = static_cast<Level>(1 + rng.below(3));
  }
  return job;
}

RC_GTEST_PROP(Placers, AgreeOnWhetherAGangFitsAndGiveDifferentNodesThatServe,
              (std::uint64_t seed)) {
  Rng rng(seed);
  const Cluster cluster = any_cluster(rng);
  const Job job = any_job(rng);
  const auto best = cluster.place(job, "weir");
  for (const auto& [name, summary, make] : placers()) {
    const auto placement = cluster.place(job, name, seed);
    RC_ASSERT(placement.has_value() == best.has_value());
    if (!placement) continue;
    RC_ASSERT(best->spans <= placement->spans);
    std::vector<NodeId> nodes = placement->nodes;
    RC_ASSERT(nodes.size() == job.gang.node_count());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto standing = cluster.pool.free().standing(nodes[i]);
      RC_ASSERT(standing.offered);
      RC_ASSERT(standing.free.covers(i < job.gang.nodes ? job.gang.per_node : job.gang.tail));
    }
    std::ranges::sort(nodes);
    RC_ASSERT(std::ranges::adjacent_find(nodes) == nodes.end());
  }
}

}  // namespace
}  // namespace weir::sched
