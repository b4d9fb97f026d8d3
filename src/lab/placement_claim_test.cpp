#include "lab/placement_claim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::lab {
namespace {

using ::testing::HasSubstr;

PlacementClaimOptions short_run() {
  PlacementClaimOptions options;
  options.seeds = {1};
  options.length = std::chrono::hours(36);
  return options;
}

TEST(PlacementClaim, WeirCrossesFewerSpinesThanChanceDoes) {
  const auto figures = measure_placement_claim(short_run());
  ASSERT_TRUE(figures) << figures.error().message;
  ASSERT_EQ(figures->size(), 3U);
  const PlacementFigures& weir = figures->at(0);
  const PlacementFigures& random = figures->at(2);
  EXPECT_GT(weir.gangs, 20U);
  EXPECT_LT(weir.over_spines.mean, random.over_spines.mean);
  EXPECT_LE(weir.all_reduce_ms.mean, random.all_reduce_ms.mean);
  for (const PlacementFigures& one : *figures) {
    EXPECT_GE(one.busiest.mean, 1) << one.placement;
    EXPECT_NEAR(one.overhead.mean + one.output.mean, 1, 1e-9) << one.placement;
    EXPECT_EQ(one.output.sd, 0) << one.placement;
  }
}

TEST(PlacementClaim, EqualOptionsGiveEqualFigures) {
  PlacementClaimOptions options = short_run();
  options.placements = {"weir"};
  const auto first = measure_placement_claim(options);
  const auto second = measure_placement_claim(options);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->at(0).all_reduce_ms.mean, second->at(0).all_reduce_ms.mean);
}

TEST(PlacementClaim, NamesWhatIsUnknown) {
  PlacementClaimOptions options = short_run();
  options.fabric = "dgx-9";
  EXPECT_THAT(measure_placement_claim(options).error().message, HasSubstr("dgx-9"));
  options = short_run();
  options.placements = {"best"};
  EXPECT_THAT(measure_placement_claim(options).error().message, HasSubstr("best"));
}

}  // namespace
}  // namespace weir::lab
