#include "report/format.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace weir::report {
namespace {

TEST(CleanText, KeepsWhatIsFitToShow) {
  EXPECT_EQ(clean_text("philly_jobs.csv.gz – 10 × \"a\""), "philly_jobs.csv.gz – 10 × \"a\"");
}

TEST(CleanText, ReplacesControlsAndBrokenBytes) {
  EXPECT_EQ(clean_text("a\x1b[31mb\n"), "a\uFFFD[31mb\uFFFD");
  EXPECT_EQ(clean_text("\xC2\x9B"
                       "31m"),
            "\uFFFD31m");                                       // C1: a terminal's other escape
  EXPECT_EQ(clean_text("\xC3"), "\uFFFD");                      // cut off
  EXPECT_EQ(clean_text("\xC0\xAF"), "\uFFFD\uFFFD");            // overlong /
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
}

TEST(Shortened, CutsAtCharacters) {
  EXPECT_EQ(shortened("größe", 5), "größe");
  EXPECT_EQ(shortened("größer", 5), "größ…");
}

TEST(Fixed, GroupsThousands) {
  EXPECT_EQ(fixed(13891.14, 1), "13,891.1");
  EXPECT_EQ(fixed(1093428.8, 0), "1,093,429");
  EXPECT_EQ(fixed(-0.01, 1), "0.0");
  EXPECT_EQ(fixed(-1234, 0), "-1,234");
  EXPECT_EQ(fixed(std::numeric_limits<double>::infinity(), 0), "–");
}

TEST(Percent, NeverRoundsToAllOrNothing) {
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.00004), "< 0.01 %");
  EXPECT_EQ(percent(0.0004), "0.04 %");
  EXPECT_EQ(percent(0.042), "4.2 %");
  EXPECT_EQ(percent(0.61), "61 %");
  EXPECT_EQ(percent(0.9996), "99.9 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(2.5), "250 %");
}

TEST(Counted, KnowsOne) {
  EXPECT_EQ(counted(1, "job"), "1 job");
  EXPECT_EQ(counted(68510, "job"), "68,510 jobs");
}

}  // namespace
}  // namespace weir::report
