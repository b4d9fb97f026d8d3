#include "lab/packing.hpp"

#include <gtest/gtest.h>

namespace weir::lab {
namespace {

using Seeds = std::vector<std::uint64_t>;

TEST(Packing, SeedsAreNumbersAndRanges) {
  EXPECT_EQ(*parse_seeds("42"), (Seeds{42}));
  EXPECT_EQ(*parse_seeds("42..44"), (Seeds{42, 43, 44}));
  EXPECT_EQ(*parse_seeds("1,5, 7..8"), (Seeds{1, 5, 7, 8}));
  EXPECT_EQ(parse_seeds("a").error().message,
            "--seeds \"a\": expected a number, or a range like 42..51");
  EXPECT_FALSE(parse_seeds("5..4"));
  EXPECT_FALSE(parse_seeds("1.."));
  EXPECT_EQ(parse_seeds("0..1000").error().code, Errc::kLimit);
  EXPECT_EQ(parse_seeds("0..18446744073709551615").error().code, Errc::kLimit);
}

TEST(Packing, SpreadIsThatOfASample) {
  EXPECT_EQ(spread_of({}).mean, 0);
  EXPECT_EQ(spread_of({3}).sd, 0);
  const Spread spread = spread_of({1, 2, 3});
  EXPECT_DOUBLE_EQ(spread.mean, 2);
  EXPECT_DOUBLE_EQ(spread.sd, 1);
}

TEST(Packing, AnUnknownPlacementIsNamedBeforeAnythingRuns) {
  LabPool pool;
  pool.pool = sim::flat_pool(2, 2);
  LabTrace trace;
  trace.jobs.resize(1);
  trace.jobs[0].gpus = 1;
  PackingOptions options;
  options.placements = {"weir", "best"};
  const auto report = pack(pool, trace, options);
  ASSERT_FALSE(report);
  EXPECT_TRUE(report.error().message.starts_with("placement \"best\" is unknown"));
  options.placements = {"weir", "fgd"};
  const auto two = pack(pool, trace, options);
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_EQ(two->policies[1].allocated_pct.mean, 100);
}

}  // namespace
}  // namespace weir::lab
