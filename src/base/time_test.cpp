#include "base/time.hpp"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/limits.hpp"

namespace weir {
namespace {

using namespace std::chrono_literals;

TEST(ParseInstant, ReadsDatesAsUtc) {
  EXPECT_EQ(parse_instant("1970-01-01"), Instant(0));
  EXPECT_EQ(parse_instant("1970-01-02 00:00:01"), Instant(86'401'000'000));
  EXPECT_EQ(parse_instant("2017-10-01T07:01:55"), Instant(1'506'841'315'000'000));
  EXPECT_EQ(parse_instant("2017-10-01 07:01:55.25"), Instant(1'506'841'315'250'000));
  EXPECT_EQ(parse_instant("1969-12-31 23:59:59.999999"), Instant(-1));
  EXPECT_TRUE(parse_instant("2020-02-29"));
}

TEST(ParseInstant, RefusesWhatIsNoDate) {
  for (const char* text : {"",
                           "2017",
                           "2017-13-01",
                           "2017-02-29",
                           "2017-00-10",
                           "2017-10-00",
                           "2017-10-32",
                           "2017/10/01",
                           "2017-10-01 ",
                           "2017-10-01 24:00:00",
                           "2017-10-01 07:60:00",
                           "2017-10-01 07:01:60",
                           "2017-10-01 07:01",
                           "2017-10-01 07:01:55.",
                           "2017-10-01x07:01:55",
                           "2017-10-01 07:01:55.1234567",
                           "2017-10-01 07:01:55Z",
                           "20 7-10-01",
                           "2017-1 -01",
                           "2017-10-01 07:01:55 2017-10-01",
                           "+017-10-01"}) {
    const auto refused = parse_instant(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, Errc::kBadInput);
  }
  EXPECT_EQ(parse_instant("now").error().message,
            "\"now\" is no date: expected YYYY-MM-DD or YYYY-MM-DD HH:MM:SS");
}

RC_GTEST_PROP(ParseInstant, ReadsBackWhatFormatInstantWrites, ()) {
  // Whole seconds of the years 0000 to 9999.
  const auto second = *rc::gen::inRange<std::int64_t>(-62'167'219'200, 253'402'300'800);
  const Instant at(second * 1'000'000);
  const auto back = parse_instant(format_instant(at));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == at);
}

TEST(FormatInstant, CutsFractionsTowardsThePast) {
  EXPECT_EQ(format_instant(Instant(1'999'999)), "1970-01-01 00:00:01");
  EXPECT_EQ(format_instant(Instant(-1)), "1969-12-31 23:59:59");
}

TEST(Instant, SumsStayAtTheEndsOfTheRange) {
  EXPECT_EQ(Instant::far_future() + Duration(1), Instant::far_future());
  EXPECT_EQ(Instant(INT64_MIN) + Duration(-1), Instant(INT64_MIN));
  EXPECT_EQ(Instant(INT64_MAX) - Instant(INT64_MIN), Duration(INT64_MAX));
  EXPECT_EQ(Instant(INT64_MIN) - Instant(INT64_MAX), Duration(INT64_MIN));
  EXPECT_EQ(Instant(7) - Instant(5), Duration(2));
}

TEST(ParseDuration, KnowsItsUnits) {
  EXPECT_EQ(parse_duration("90"), 90s);
  EXPECT_EQ(parse_duration("90s"), 90s);
  EXPECT_EQ(parse_duration("15m"), 15min);
  EXPECT_EQ(parse_duration("1.5h"), 90min);
  EXPECT_EQ(parse_duration("2d"), 48h);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("0"), 0s);
}

TEST(ParseDuration, RefusesWhatIsNoneOrTooLong) {
  for (const char* text : {"", "s", "-1", "-1s", "1 h", "1w", "nan", "1h30m", "h1"}) {
    const auto refused = parse_duration(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, Errc::kBadInput) << text;
  }
  EXPECT_TRUE(parse_duration("730d"));
  const auto long_one = parse_duration("731d");
  ASSERT_FALSE(long_one);
  EXPECT_EQ(long_one.error().code, Errc::kLimit);
  EXPECT_EQ(long_one.error().message, "\"731d\" is longer than the longest duration of 730d 00h");
}

TEST(FormatDuration, ShowsTwoSignificantParts) {
  EXPECT_EQ(format_duration(12ms), "12 ms");
  EXPECT_EQ(format_duration(0s), "0 ms");
  EXPECT_EQ(format_duration(41'300ms), "41.3 s");
  EXPECT_EQ(format_duration(59'960ms), "1m 00s");
  EXPECT_EQ(format_duration(999'900us), "1.0 s");
  EXPECT_EQ(format_duration(125s), "2m 05s");
  EXPECT_EQ(format_duration(2h + 5min), "2h 05m");
  EXPECT_EQ(format_duration(76h), "3d 04h");
  EXPECT_EQ(format_duration(-5min), "-5m 00s");
  EXPECT_EQ(format_duration(Duration(INT64_MIN)).substr(0, 1), "-");
}

TEST(FromSeconds, RoundsToTheNearestMicrosecond) {
  EXPECT_EQ(from_seconds(0.1), Duration(100'000));
  EXPECT_EQ(from_seconds(-0.1), Duration(-100'000));
  EXPECT_EQ(from_seconds(1.0000004), Duration(1'000'000));
  EXPECT_EQ(from_seconds(seconds(limits::kLongestDuration)), limits::kLongestDuration);
}

}  // namespace
}  // namespace weir
