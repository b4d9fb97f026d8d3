#include "formats/philly.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/read_lines.hpp"

namespace weir {
namespace {

using weir::testing::read_lines;

const std::string kHeader = "timestamp,duration,num_gpus,gpu_time,cluster\n";

std::string error_of(const std::string& rows, TraceFilter filter = {}) {
  const auto trace = read_lines(PhillyReader(std::move(filter)), kHeader + rows);
  return trace ? "no error" : trace.error().message;
}

TEST(PhillyReader, KeepsTheRowsAsTheyStandInTheFile) {
  const auto trace = read_lines(PhillyReader(), kHeader +
                                                    "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                                                    "\n"
                                                    "2017-10-09 06:13:03,2951.0,16,47216.0,6214e9\n"
                                                    "\n");
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->size(), 2U);
  const TraceJob& first = (*trace)[0];
  EXPECT_EQ(first.submit, *parse_instant("2017-10-09 07:01:55"));
  EXPECT_EQ(first.runtime, Duration(66'000'000));
  EXPECT_EQ(first.job.estimate, first.runtime);
  EXPECT_EQ(first.gpus, 1U);
  EXPECT_EQ(first.vc, "11cb48");
  EXPECT_EQ(first.job.name, "");
  EXPECT_EQ((*trace)[1].gpus, 16U);
  EXPECT_LT((*trace)[1].submit, first.submit);
}

TEST(PhillyReader, ErrorsNameLineFieldExpectedAndFound) {
  EXPECT_EQ(error_of("2017-10-09 07:01:55,66.0,0,66.0,a\n"),
            "2: num_gpus: expected a whole number from 1 to 131072, found \"0\"");
  EXPECT_EQ(error_of("2017-10-09 07:01:55,66.0,131073,66.0,a\n"),
            "2: num_gpus: expected a whole number from 1 to 131072, found \"131073\"");
  EXPECT_EQ(error_of("2017-10-09 07:01:55,1,1,1,a\n2017-10-09 07:01:55,-1,1,66.0,a\n"),
            "3: duration: expected seconds from 0 to 63072000, found \"-1\"");
  EXPECT_EQ(error_of("2017-13-09 07:01:55,1,1,1,a\n"),
            "2: timestamp: expected a date YYYY-MM-DD HH:MM:SS, found \"2017-13-09 07:01:55\"");
  EXPECT_EQ(error_of("2017-10-09 07:01:55,1,1,1\n"),
            "2: expected 5 fields as in the header, found 4");
  EXPECT_EQ(error_of("2017-10-09 07:01:55,1,1,1,a\r\n"),
            "2: the line ends with CR LF: expected LF alone; convert it, e.g. with dos2unix");
}

TEST(PhillyReader, AFileWithoutTheHeaderIsNoPhillyLog) {
  const auto wrong = read_lines(PhillyReader(), "job_id,user\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message,
            "1: the header lacks the column timestamp: expected timestamp, duration, num_gpus, "
            "cluster");
  const auto empty = read_lines(PhillyReader(), "\n");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message,
            "no header line: expected the columns timestamp, duration, num_gpus, cluster");
}

TEST(PhillyReader, TheFilterTakesByVcAndTimeWithoutTheEnd) {
  const std::string rows =
      "2017-10-01,1,1,1,a\n2017-10-02,2,1,1,b\n2017-10-03,3,1,1,a\n2017-10-04,4,1,1,a\n";
  TraceFilter filter;
  filter.vc = "a";
  filter.from = *parse_instant("2017-10-01");
  filter.to = *parse_instant("2017-10-04");
  const auto trace = read_lines(PhillyReader(filter), kHeader + rows);
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->size(), 2U);
  EXPECT_EQ((*trace)[1].runtime, Duration(3'000'000));
}

TEST(PhillyReader, AFilterThatTakesNothingSaysWhatThereIs) {
  const std::string rows = "2017-10-01,1,1,1,a\n2017-10-02,2,1,1,b\n";
  TraceFilter vc;
  vc.vc = "c";
  EXPECT_EQ(error_of(rows, vc), "no job has the VC \"c\"; there are a, b");
  TraceFilter time;
  time.vc = "a";
  time.from = *parse_instant("2018-01-01");
  EXPECT_EQ(error_of(rows, time),
            "no job was submitted in the time asked for; the log goes from 2017-10-01 00:00:00 to "
            "2017-10-02 00:00:00");
  EXPECT_EQ(error_of(""), "no error");
}

TEST(TraceBuilder, RefusesMoreJobsThanItsLimit) {
  TraceBuilder builder({}, 1);
  ASSERT_TRUE(builder.add({}));
  const Status refused = builder.add({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kLimit);
}

}  // namespace
}  // namespace weir
