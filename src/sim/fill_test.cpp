#include "sim/fill.hpp"

#include <map>

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

TraceJob task(Capacity demand) {
  TraceJob row;
  row.job.gang.per_node = demand;
  return row;
}

// Ten nodes of two GPUs and 16 CPUs; whole GPUs, halves, and tasks of CPUs alone.
struct Small {
  SimulatedPool pool = flat_pool(10, 2);
  Trace trace{task({1, 8000, 0}), task({0, 2000, 0, 500}), task({0, 1000, 0, 700}),
              task({2, 4000, 0}), task({0, 3000, 0, 0})};

  Small() {
    for (Node& node : pool.nodes) node.kind.total.cpu_milli = 16'000;
  }
  [[nodiscard]] Result<FillResult> run(std::string_view placement, std::uint64_t seed) const {
    Rng rng(seed);
    const auto rows = WEIR_TRY(draw_rows(pool, trace, 1.3, rng));
    sched::Settings settings;
    settings.placement = placement;
    std::vector<const Job*> jobs;
    for (const TraceJob& row : trace) jobs.push_back(&row.job);
    settings.typical = sched::typical_demand(jobs, 100);
    return fill_pool(pool, trace, rows, settings);
  }
};

TEST(DrawRows, GivesEveryRowAndThenDrawnOnesUntilEnoughIsAsked) {
  const Small small;
  Rng rng(7);
  const auto rows = draw_rows(small.pool, small.trace, 1.3, rng);
  ASSERT_TRUE(rows);
  std::uint64_t asked = 0;
  for (const std::uint32_t row : *rows) asked += small.trace[row].job.gang.milli_gpus();
  EXPECT_GE(asked, 26'000U);
  EXPECT_LT(asked, 28'000U) << "cut where enough has come";
  Rng again(7);
  EXPECT_EQ(*rows, *draw_rows(small.pool, small.trace, 1.3, again));
}

TEST(DrawRows, NeedsATaskThatAsksForGpus) {
  Rng rng(1);
  const auto rows = draw_rows(flat_pool(1, 8), {task({0, 1000, 0})}, 1, rng);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().message, "no task asks for a GPU: a pool cannot be filled with them");
}

TEST(FillPool, GivesTheSameFiguresTwiceAndNeverMoreThanThePool) {
  const Small small;
  for (const sched::PlacerEntry& entry : sched::placers()) {
    const auto once = small.run(entry.name, 3);
    const auto twice = small.run(entry.name, 3);
    ASSERT_TRUE(once) << once.error().message;
    EXPECT_EQ(once->journal_hash, twice->journal_hash) << entry.name;
    EXPECT_GT(once->allocated_pct, 60) << entry.name;
    EXPECT_LE(once->allocated_pct, 100) << entry.name;
    ASSERT_TRUE(once->fragmented_at_80 && once->fragmented_at_100) << entry.name;
    EXPECT_LE(*once->fragmented_at_100, 100) << entry.name;
    EXPECT_LE(once->placed, once->tasks);
  }
}

// Golden without any data set: what each placement gave away of twenty GPUs, seeds 1 to 5.
TEST(FillPool, PacksASmallClusterAsItDid) {
  const Small small;
  std::map<std::string_view, double> sum;
  for (const std::string_view name : {"firstfit", "bestfit", "fgd", "weir-pack", "spread"})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto run = small.run(name, seed);
      ASSERT_TRUE(run);
      sum[name] += run->allocated_pct / 5;
    }
  EXPECT_GT(sum["fgd"], sum["spread"]);
  EXPECT_GT(sum["bestfit"], sum["spread"]);
  EXPECT_GE(sum["weir-pack"], sum["spread"]);
}

}  // namespace
}  // namespace weir::sim
