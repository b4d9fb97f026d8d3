#include "fabric/collectives.hpp"

#include <gtest/gtest.h>

namespace weir::fabric {
namespace {

using namespace weir::literals;

TEST(Collectives, ARingMovesEachByteTwice) {
  EXPECT_DOUBLE_EQ(ring_all_reduce(Bytes(8'000'000'000), 1, 400_Gbps, 1), 0);
  EXPECT_DOUBLE_EQ(ring_all_reduce(Bytes(50'000'000'000), 2, 400_Gbps, 0), 1);
  EXPECT_DOUBLE_EQ(ring_all_reduce(Bytes(50'000'000'000), 4, 400_Gbps, 0.5), 3 + 1.5);
}

TEST(Collectives, MeetsThePublishedFigureOfFourNodes) {
  CollectiveLinks b200;
  b200.inside = Bandwidth(std::uint64_t{7'200'000'000'000});
  EXPECT_NEAR(gang_all_reduce(4_GiB, 4, 8, b200), 22.05e-3, 22.05e-3 * 0.08);
}

TEST(Collectives, HalfTheRateNearlyDoublesTheTimeBetweenNodes) {
  CollectiveLinks links;
  const double whole = gang_all_reduce(14_GiB, 32, 8, links);
  links.between = Bandwidth(links.between.bits_per_second() / 4);
  const double quarter = gang_all_reduce(14_GiB, 32, 8, links);
  EXPECT_GT(quarter, 2.5 * whole);
  EXPECT_LT(quarter, 4 * whole);
}

}  // namespace
}  // namespace weir::fabric
