#include "formats/swf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/read_lines.hpp"

namespace weir {
namespace {

using ::testing::HasSubstr;
using testing::read_lines;

TEST(Swf, ReadsRequestsAndWhatReallyHappened) {
  SwfReader reader;
  const auto trace = read_lines(reader,
                                "; UnixStartTime: 1000\n"
                                ";\n"
                                " 1 0 5 60 4 -1 -1 8 3600 -1 1 12 1 1 3 -1 -1 -1\n"
                                "2 10 0 90.5 4 1.5 1024 -1 -1 -1 1 -1 1 1 -1 1 1 1 {7,8} q:ppn=1\n"
                                "3 20 0 -1 4 -1 -1 4 60 -1 5 1 1 1 1 1 -1 -1\n"
                                "4 30 0 60 -1 -1 -1 0 60 -1 0 1 1 1 1 1 -1 -1\n");
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->size(), 2U);
  const TraceJob& one = trace->at(0);
  EXPECT_EQ(one.submit, Instant() + Duration(std::chrono::seconds(1000)));
  EXPECT_EQ(one.gpus, 8U);
  EXPECT_EQ(one.runtime, Duration(std::chrono::seconds(60)));
  EXPECT_EQ(one.job.estimate, Duration(std::chrono::hours(1)));
  EXPECT_EQ(one.job.user, "12");
  EXPECT_EQ(one.vc, "3");
  const TraceJob& two = trace->at(1);
  EXPECT_EQ(two.gpus, 4U);
  EXPECT_EQ(two.runtime, from_seconds(90.5));
  EXPECT_EQ(two.job.estimate, two.runtime);
  EXPECT_EQ(two.job.user, "");
  EXPECT_EQ(reader.left_out(), "1 without a run time, 1 without processors");
}

TEST(Swf, SaysWhatIsWrong) {
  const auto complaint = [](std::string_view text) {
    const auto trace = read_lines(SwfReader(), text);
    return trace ? std::string() : trace.error().message;
  };
  EXPECT_THAT(complaint("1 2 3\n"), HasSubstr("1: expected 18 numbers, found 3"));
  EXPECT_THAT(complaint("1 0 5 x 4 -1 -1 8 3600 -1 1 12 1 1 3 -1 -1 -1\n"),
              HasSubstr("run time: expected a number"));
  EXPECT_THAT(complaint("1 0 5 -2 4 -1 -1 8 3600 -1 1 12 1 1 3 -1 -1 -1\n"), HasSubstr("run time"));
  EXPECT_THAT(complaint("1 0 5 60 4 -1 -1 8.5 3600 -1 1 12 1 1 3 -1 -1 -1\n"),
              HasSubstr("processors: expected a whole number"));
  EXPECT_THAT(complaint("1 0 5 99999999999 4 -1 -1 8 60 -1 1 12 1 1 3 -1 -1 -1\n"),
              HasSubstr("run time: expected at most"));
  EXPECT_THAT(complaint("; UnixStartTime: soon\n"), HasSubstr("UnixStartTime"));
  EXPECT_THAT(complaint("1 0 5 60 4 -1 -1 8 3600 -1 1 12 1 1 3 -1 -1 -1\r\n"), HasSubstr("CR LF"));
}

}  // namespace
}  // namespace weir
