#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace weir {
namespace {

using ::testing::ElementsAre;

TEST(ParseUnsigned, TakesDigitsAndNothingElse) {
  EXPECT_EQ(parse_unsigned("0"), 0U);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_unsigned("ff", 16), 255U);
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "1.0", "0x10", "18446744073709551616"})
    EXPECT_EQ(parse_unsigned(text), std::nullopt) << text;
}

TEST(ParseDouble, TakesFiniteNumbers) {
  EXPECT_EQ(parse_double("66.0"), 66.0);
  EXPECT_EQ(parse_double("-1e-3"), -0.001);
  for (const char* text : {"", "nan", "inf", "1e999", "1 ", " 1", "1x"})
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
}

TEST(Trim, TakesBlanksAndTabsOffBothEnds) {
  EXPECT_EQ(trim(" \ta b\t "), "a b");
  EXPECT_EQ(trim("   "), "");
  EXPECT_EQ(trim("a"), "a");
}

TEST(Split, KeepsEmptyFields) {
  EXPECT_THAT(split("a,b,,c", ','), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_THAT(split(",", ','), ElementsAre("", ""));
}

bool before(std::string_view a, std::string_view b) { return natural_compare(a, b) < 0; }

TEST(NaturalCompare, CountsAsPeopleDo) {
  std::vector<std::string> names{"node10", "node2", "node",    "a2b10", "a2b9",
                                 "node02", "Node2", "node2-1", "10",    "9"};
  std::ranges::sort(names, before);
  EXPECT_THAT(names, ElementsAre("9", "10", "Node2", "a2b9", "a2b10", "node", "node02", "node2",
                                 "node2-1", "node10"));
}

TEST(NaturalCompare, NumbersMayBeLongerThanAnyInteger) {
  EXPECT_TRUE(before("n99999999999999999999998", "n99999999999999999999999"));
  EXPECT_FALSE(before("n100000000000000000000000", "n99999999999999999999999"));
}

// Names of few letters and digits, so that equal parts and leading zeros are frequent.
std::string any_name() {
  return *rc::gen::container<std::string>(rc::gen::element('a', 'b', '0', '1', '2', '-'));
}

RC_GTEST_PROP(NaturalCompare, IsAStrictTotalOrder, ()) {
  const std::string a = any_name();
  const std::string b = any_name();
  const std::string c = any_name();
  RC_ASSERT((natural_compare(a, b) == std::strong_ordering::equal) == (a == b));
  RC_ASSERT(before(a, b) + before(b, a) + (a == b ? 1 : 0) == 1);
  if (before(a, b) && before(b, c)) RC_ASSERT(before(a, c));
}

TEST(Quoted, HidesWhatWouldHarmAMessage) {
  EXPECT_EQ(quoted("abc"), "\"abc\"");
  EXPECT_EQ(quoted("a\n\x1b\"\\\xff"), "\"a\\x0a\\x1b\\x22\\x5c\\xff\"");
  EXPECT_EQ(quoted("abcdef", 3), "\"abc…\"");
  EXPECT_EQ(quoted("abc", 3), "\"abc\"");
}

TEST(Closest, FindsTheWordThatWasMeant) {
  constexpr std::array<std::string_view, 4> kKnown{"runtime", "rails", "nodes", "node_list"};
  EXPECT_EQ(closest("runtme", kKnown), "runtime");
  EXPECT_EQ(closest("Runtime", kKnown), "runtime");
  EXPECT_EQ(closest("node", kKnown), "nodes");
  EXPECT_EQ(closest("colour", kKnown), "");
  EXPECT_EQ(closest("", kKnown), "");
  EXPECT_EQ(closest(std::string(100'000, 'x'), kKnown), "");
}

TEST(WithThousands, SetsCommas) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1'000), "1,000");
  EXPECT_EQ(with_thousands(1'234'567), "1,234,567");
  EXPECT_EQ(with_thousands(UINT64_MAX), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace weir
