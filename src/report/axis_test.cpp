#include "report/axis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_sample.hpp"

namespace weir::report {
namespace {

using ::testing::ElementsAre;
using testing::instant;

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> out;
  for (const Tick& tick : ticks) out.push_back(tick.label);
  return out;
}

TEST(Scale, MapsAndClamps) {
  const Scale y{0, 100, 200, 0, Scale::Kind::kLinear};
  EXPECT_DOUBLE_EQ(y(25), 150);
  EXPECT_DOUBLE_EQ(y(1000), 0);
  EXPECT_DOUBLE_EQ(y(-3), 200);
  const Scale from_zero{0, 999, 0, 300, Scale::Kind::kLogFromZero};
  EXPECT_DOUBLE_EQ(from_zero(0), 0);
  EXPECT_NEAR(from_zero(99), 200, 1e-9);
  const Scale empty{5, 5, 0, 300, Scale::Kind::kLinear};
  EXPECT_DOUBLE_EQ(empty(5), 0);
}

TEST(Ticks, AreRound) {
  EXPECT_THAT(labels(count_ticks(15336, 4)),
              ElementsAre("0", "5,000", "10,000", "15,000", "20,000"));
  EXPECT_THAT(labels(count_ticks(0, 4)), ElementsAre("0", "0.5", "1.0"));
  EXPECT_THAT(labels(decade_ticks(450)), ElementsAre("0", "1", "10", "100", "1,000"));
  EXPECT_THAT(labels(duration_ticks(4000)),
              ElementsAre("1 s", "10 s", "1 min", "10 min", "1 h", "10 h"));
}

TEST(TimeTicks, DaysOfALog) {
  const Span week{instant("2017-10-01 07:00:00"), instant("2017-10-05")};
  const auto ticks = time_ticks(week, 5);
  EXPECT_THAT(labels(ticks), ElementsAre("2 Oct 2017", "3 Oct", "4 Oct", "5 Oct"));
  EXPECT_DOUBLE_EQ(ticks[0].value, 17 * 3600);
}

TEST(TimeTicks, HoursMondaysAndMonths) {
  EXPECT_THAT(
      labels(time_ticks({instant("2017-10-01 20:00:00"), instant("2017-10-02 05:00:00")}, 4)),
      ElementsAre("20:00", "22:00", "2 Oct 2017", "02:00", "04:00"));
  EXPECT_THAT(labels(time_ticks({instant("2017-10-01"), instant("2017-10-29")}, 5)),
              ElementsAre("2 Oct 2017", "9 Oct", "16 Oct", "23 Oct"));
  EXPECT_THAT(labels(time_ticks({instant("2017-11-15"), instant("2018-03-10")}, 6)),
              ElementsAre("Dec 2017", "Jan 2018", "Feb", "Mar"));
}

TEST(TimeTicks, WithoutDatesCountFromTheStart) {
  const Span span{Instant(0), Instant(0) + std::chrono::hours(30)};
  EXPECT_FALSE(span.has_dates());
  EXPECT_THAT(labels(time_ticks(span, 5)),
              ElementsAre("0", "6 h", "12 h", "18 h", "1 d", "1 d 6 h"));
  EXPECT_EQ(time_label(span, Instant(0) + std::chrono::hours(26)), "1d 02h after the start");
}

TEST(TimeTicks, StayFewForAnySpan) {
  for (std::int64_t seconds = 1; seconds < 4'000'000'000; seconds *= 7)
    for (const Instant begin : {Instant(0), instant("2017-10-01 12:34:56")}) {
      const Span span{begin, begin + Duration(seconds * 1'000'000)};
      EXPECT_LE(time_ticks(span, 9).size(), 11U) << seconds;
    }
  EXPECT_TRUE(time_ticks({}, 9).empty());
}

}  // namespace
}  // namespace weir::report
