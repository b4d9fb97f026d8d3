#include "report/claim_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::report {
namespace {

using ::testing::HasSubstr;

TEST(ClaimText, ComparesTheFirstPlacementWithTheOthers) {
  lab::PlacementClaimOptions options;
  options.seeds = {7};
  const std::vector<lab::PlacementFigures> figures{
      {"weir", 1234, {0.1, 0}, {1, 0}, {80, 2}, {0.1, 0.01}, {0.9, 0.01}},
      {"random", 1234, {0.9, 0}, {4, 1}, {300, 20}, {0.4, 0.02}, {0.6, 0.02}}};
  const std::string text = claim_text(options, figures);
  EXPECT_THAT(text, HasSubstr("seeds 7"));
  EXPECT_THAT(text, HasSubstr("1,234"));
  EXPECT_THAT(text, HasSubstr("4.00 ± 1.00"));
  EXPECT_THAT(text, HasSubstr("weir against random: communication overhead -75.0 %, output of a "
                              "GPU +50.0 %"));
  EXPECT_THAT(claim_json(options, figures), HasSubstr("\"gangs\": 1234"));
}

}  // namespace
}  // namespace weir::report
