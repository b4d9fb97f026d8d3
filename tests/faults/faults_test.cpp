// Many small sites through a time of faults each, by seed (src/sim/faults). WEIR_FAULT_SEEDS=17 runs
// one seed and tells all that happened; WEIR_FAULT_SEEDS=1..5000 runs a range.
#include <cstdlib>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "sim/faults/world.hpp"

namespace weir::sim::faults {
namespace {

struct Seeds {
  std::uint64_t first = 1;
  std::uint64_t last = 200;
  bool asked_for = false;
};

Seeds seeds() {
  Seeds range;
  const char* given = std::getenv("WEIR_FAULT_SEEDS");
  if (given == nullptr || *given == '\0') return range;
  const std::string text = given;
  const std::size_t dots = text.find("..");
  const auto first = parse_unsigned(text.substr(0, dots));
  const auto last = dots == std::string::npos ? first : parse_unsigned(text.substr(dots + 2));
  EXPECT_TRUE(first && last) << "WEIR_FAULT_SEEDS: expected 17 or 1..5000, found " << text;
  if (first && last) range = {*first, *last, true};
  return range;
}

TEST(Faults, BreakNoPromise) {
  const Seeds range = seeds();
  const bool one = range.asked_for && range.first == range.last;
  FaultReport sum;
  for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
    const FaultReport report = run_faults({seed, one});
    for (const std::string& line : report.trace) std::cout << line << '\n';
    sum.jobs += report.jobs;
    sum.steps += report.steps;
    sum.controller_crashes += report.controller_crashes;
    sum.unknown_ends += report.unknown_ends;
    sum.second_attempts += report.second_attempts;
    if (report.violations.empty()) continue;
    for (const std::string& violation : report.violations)
      ADD_FAILURE() << "fault found: " << violation;
    FAIL() << "run this one again, with all that happened:\n  WEIR_FAULT_SEEDS=" << seed
           << " build/test/tests/faults/weir_faults_test";
  }
  std::cout << "seeds " << range.first << " to " << range.last << ": " << sum.jobs << " jobs, "
            << sum.steps << " steps, " << sum.controller_crashes << " crashes of the controller, "
            << sum.second_attempts << " jobs tried again, " << sum.unknown_ends
            << " ends unknown\n";
  // No idle runs.
  if (range.asked_for) return;
  EXPECT_GT(sum.jobs, 2000U);
  EXPECT_GT(sum.controller_crashes, 500U);
  EXPECT_GT(sum.second_attempts, 500U);
  EXPECT_GT(sum.unknown_ends, 20U);
}

TEST(Faults, EqualSeedsGiveEqualRuns) {
  const FaultReport first = run_faults({7, true});
  const FaultReport again = run_faults({7, false});
  EXPECT_EQ(first.hash, again.hash);
  EXPECT_NE(first.hash, run_faults({8, false}).hash);
  EXPECT_FALSE(first.trace.empty());
  EXPECT_TRUE(again.trace.empty());
}

}  // namespace
}  // namespace weir::sim::faults
