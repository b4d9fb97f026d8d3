#include "sched/placement/scored_placer.hpp"

#include <gtest/gtest.h>

#include "sched/placement/test_cluster.hpp"

namespace weir::sched {
namespace {

using testing::Cluster;
using testing::gang_job;
using testing::Nodes;
using testing::units_of;

Job share(std::uint32_t milli, std::uint32_t cpus = 0) {
  Job job = gang_job(1, 0);
  job.gang.per_node = {0, cpus, 0, milli};
  return job;
}

class Packing : public ::testing::Test {
 protected:
  // n0: 4 GPUs and few CPUs left; n1: GPU 0 half used; n2: idle.
  Packing() : cluster_(units_of({3})) {
    cluster_.occupy(0, {4, 60, 0});
    cluster_.occupy(1, {0, 0, 0, 500});
  }
  [[nodiscard]] std::optional<std::uint8_t> gpu_for(const Job& job, std::string_view placer) const {
    const auto placement = cluster_.place(job, placer);
    EXPECT_TRUE(placement);
    return placement ? placement->gpu : std::nullopt;
  }
  Cluster cluster_;
};

TEST_F(Packing, BestFitTakesTheNodeWithTheLeastLeftOver) {
  EXPECT_EQ(cluster_.nodes_for(gang_job(1, 1), "bestfit"), (Nodes{0}));
  EXPECT_EQ(cluster_.nodes_for(gang_job(1, 5), "bestfit"), (Nodes{1}));
  EXPECT_EQ(cluster_.nodes_for(gang_job(1, 8), "bestfit"), (Nodes{2}));
  EXPECT_EQ(gpu_for(share(400), "bestfit"), std::nullopt) << "the usual one, the tightest";
}

TEST_F(Packing, SpreadTakesTheEmptiestNodeAndGpu) {
  EXPECT_EQ(cluster_.nodes_for(gang_job(1, 1), "spread"), (Nodes{2}));
  EXPECT_EQ(gpu_for(share(400), "spread"), pool::kFreshGpu);
}

TEST_F(Packing, WeirTakesAShareWhereItLeavesLeast) {
  EXPECT_EQ(cluster_.nodes_for(share(400)), (Nodes{1}));
  EXPECT_EQ(cluster_.nodes_for(share(600)), (Nodes{0})) << "as a job of one GPU";
  EXPECT_EQ(cluster_.nodes_for(share(600, 10)), (Nodes{1})) << "n0 has 4 CPUs left";
}

TEST_F(Packing, FgdKeepsTheGpusThatTypicalDemandWants) {
  // Shares of half a GPU are typical: whole GPUs go where no half is open.
  TypicalDemand demand{{{{0, 0, 0, 500}, {}, 10}, {{1, 0, 0, 0}, {}, 1}}};
  for (const std::string_view name : {"fgd", "weir-pack"}) {
    for (const PlacerEntry& entry : placers()) {
      if (entry.name != name) continue;
      const auto placer = entry.make();
      placer->expect(demand, cluster_.pool.classes());
      Rng rng(1);
      const auto half = placer->place(cluster_.pool.free(), cluster_.request(share(500)), rng);
      ASSERT_TRUE(half);
      EXPECT_EQ(half->nodes.front(), NodeId(1)) << name << ": it fills a GPU";
      EXPECT_EQ(half->gpu, 0) << name;
      const auto again = placer->place(cluster_.pool.free(), cluster_.request(share(500)), rng);
      EXPECT_EQ(again->nodes, half->nodes) << name << ": remembered scores are the same";
    }
  }
}

TEST_F(Packing, GangsArePlacedAsWeirDoes) {
  for (const std::string_view name : {"bestfit", "fgd", "weir-pack", "spread"})
    EXPECT_EQ(cluster_.nodes_for(gang_job(2, 8), name), cluster_.nodes_for(gang_job(2, 8))) << name;
}

}  // namespace
}  // namespace weir::sched
