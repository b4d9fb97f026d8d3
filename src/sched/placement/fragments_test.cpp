#include "sched/placement/fragments.hpp"

#include <gtest/gtest.h>

#include "sched/placement/fgd_scorer.hpp"

namespace weir::sched {
namespace {

using pool::ClassId;

// T4 nodes are class 0, G2 nodes class 1.
pool::ClassTable two_models() {
  pool::ClassTable classes;
  for (const char* model : {"T4", "G2"})
    classes.intern(pool::NodeClass{classes.intern(NodeKind{model, {4, 32'000, 0}, {}, {}})});
  return classes;
}

IdleGpus node(std::uint32_t node_class, std::uint32_t whole, std::uint32_t cpus,
              std::span<const std::uint16_t> shared = {}) {
  return {ClassId(node_class), whole, cpus * 1000, shared};
}

TypicalDemand demand_of(std::vector<TypicalShape> shapes) { return {std::move(shapes)}; }

TEST(Fragments, AShapeThatCannotRunOrWantsNoGpuLosesAllThatIsIdle) {
  const auto classes = two_models();
  const FragmentMeasure none(demand_of({{{0, 1000, 0, 0}, {}, 2}}), classes);
  EXPECT_EQ(none.of(node(0, 4, 32)), 4000 * 2) << "wants no GPU";
  const FragmentMeasure model(demand_of({{{1, 1000, 0, 0}, {"G2"}, 1}}), classes);
  EXPECT_EQ(model.of(node(0, 4, 32)), 4000) << "another model";
  EXPECT_EQ(model.of(node(1, 4, 32)), 0);
  EXPECT_EQ(model.of(node(1, 4, 0)), 4000) << "no CPU is left";
  const FragmentMeasure two(demand_of({{{2, 0, 0, 0}, {}, 1}}), classes);
  EXPECT_EQ(two.of(node(0, 1, 32)), 1000) << "too few GPUs";
  EXPECT_EQ(two.of(node(0, 0, 32)), 0) << "nothing is idle";
}

TEST(Fragments, WhereItRunsWhatIsIdleOnTooFullGpusIsLost) {
  const auto classes = two_models();
  const std::vector<std::uint16_t> shared{0, 300, 600};
  const FragmentMeasure half(demand_of({{{0, 1000, 0, 500}, {}, 1}}), classes);
  EXPECT_EQ(half.of(node(0, 1, 32, shared)), 300);
  const FragmentMeasure most(demand_of({{{0, 1000, 0, 700}, {}, 1}}), classes);
  EXPECT_EQ(most.of(node(0, 0, 32, shared)), 900) << "it runs nowhere";
  EXPECT_EQ(most.of(node(0, 1, 32, shared)), 900);
  const FragmentMeasure whole(demand_of({{{1, 1000, 0, 0}, {}, 1}}), classes);
  EXPECT_EQ(whole.of(node(0, 1, 32, shared)), 900);
}

TEST(Fragments, ShapesWeighByHowOftenTheyAreAskedFor) {
  const auto classes = two_models();
  const FragmentMeasure measure(
      demand_of({{{1, 4000, 0, 0}, {}, 3}, {{1, 8000, 0, 0}, {}, 5}, {{4, 0, 0, 0}, {}, 2}}),
      classes);
  EXPECT_EQ(measure.total(), 10);
  EXPECT_EQ(measure.of(node(0, 2, 6)), 2000 * (5 + 2)) << "CPUs for the first only";
}

TEST(Fragments, LookingAheadCountsGpusThatTheCpusWillNotReach) {
  const auto classes = two_models();
  const TypicalDemand demand = demand_of({{{1, 8000, 0, 0}, {}, 10}});
  const FragmentMeasure next(demand, classes);
  const FragmentMeasure ahead(demand, classes, FragmentMeasure::kAhead);
  EXPECT_EQ(next.of(node(0, 4, 20)), 0) << "the next task fits";
  EXPECT_EQ(ahead.of(node(0, 4, 20)), 1500 * 10) << "20 CPUs feed two and a half GPUs";
  EXPECT_EQ(ahead.of(node(0, 4, 32)), 0);
}

TEST(TypicalDemand, KeepsTheMostPopularShapes) {
  std::vector<Job> jobs(20);
  for (std::size_t i = 0; i < jobs.size(); ++i)
    jobs[i].gang.per_node = i < 12   ? Capacity{1, 0, 7}
                            : i < 19 ? Capacity{0, 0, 0, 500}
                                     : Capacity{8, 0, 0};
  std::vector<const Job*> pointers;
  for (const Job& job : jobs) pointers.push_back(&job);
  const TypicalDemand demand = typical_demand(pointers);
  ASSERT_EQ(demand.shapes.size(), 2U) << "these make 95 %";
  EXPECT_EQ(demand.shapes[0], (TypicalShape{{1, 0, 0}, {}, 12})) << "without memory";
  EXPECT_EQ(demand.shapes[1], (TypicalShape{{0, 0, 0, 500}, {}, 7}));
  EXPECT_EQ(demand.total(), 19U);
  EXPECT_EQ(typical_demand({}), TypicalDemand{});
}

TEST(SigmoidCut, IsFiftyForNoChangeAndCutsDown) {
  const SigmoidCut cut(10);
  EXPECT_EQ(cut(0), 50);
  EXPECT_EQ(cut(-1), 49) << "any growth of the fragment costs a point";
  EXPECT_EQ(cut(10'000), 73) << "one GPU: 100 / (1 + 1/e) = 73.1";
  EXPECT_EQ(cut(-10'000), 26);
  EXPECT_EQ(cut(INT64_MAX), 99);
  EXPECT_EQ(cut(INT64_MIN), 0);
}

}  // namespace
}  // namespace weir::sched
