#include "report/scenario_text.hpp"

#include <gtest/gtest.h>

namespace weir::report {
namespace {

TEST(ScenarioText, ALineACaseAndADifferenceBelow) {
  const auto cases =
      parse_scenarios("case it works\nfrom a#1\nnode n1 gpus = 1\nexpect n1 free_gpus = 2\n", "x");
  ASSERT_TRUE(cases);
  const ScenarioCase& one = cases->at(0);
  EXPECT_EQ(scenario_text("x.scenario", one, {}), "ok    it works  (a#1)\n");
  EXPECT_EQ(scenario_text("x.scenario", one, lab::run(one)),
            "FAIL  it works  (a#1)\n"
            "      x.scenario:4: free_gpus\n"
            "        expected  2\n"
            "        found     1\n");
}

}  // namespace
}  // namespace weir::report
