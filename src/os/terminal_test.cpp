#include "os/terminal.hpp"

#include <gtest/gtest.h>

#include "os/clock.hpp"

namespace weir::os {
namespace {

TEST(Colour, NeedsATerminalThatCanAndNobodyWhoObjects) {
  EXPECT_TRUE(colour_rule(true, nullptr, "xterm"));
  EXPECT_TRUE(colour_rule(true, "", "xterm"));
  EXPECT_FALSE(colour_rule(true, "1", "xterm"));
  EXPECT_FALSE(colour_rule(false, nullptr, "xterm"));
  EXPECT_FALSE(colour_rule(true, nullptr, "dumb"));
  EXPECT_FALSE(colour_rule(true, nullptr, nullptr));
}

TEST(Width, ComesFromColumnsThenTheTerminalThenIsEighty) {
  EXPECT_EQ(width_rule("120", 90), 120U);
  EXPECT_EQ(width_rule(nullptr, 90), 90U);
  EXPECT_EQ(width_rule(nullptr, 0), 80U);
  EXPECT_EQ(width_rule("", 90), 90U);
  EXPECT_EQ(width_rule("0", 90), 90U);
  EXPECT_EQ(width_rule("-3", 90), 90U);
  EXPECT_EQ(width_rule("99999999999", 0), 80U);
}

TEST(Stopwatch, NeverGoesBack) {
  const Stopwatch watch;
  const double first = watch.seconds();
  EXPECT_GE(first, 0);
  EXPECT_GE(watch.seconds(), first);
}

}  // namespace
}  // namespace weir::os
