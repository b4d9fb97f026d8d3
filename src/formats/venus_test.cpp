#include "formats/venus.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/read_lines.hpp"

namespace weir {
namespace {

using weir::testing::read_lines;

const std::string kHeader =
    "# fleetsim validation slice\n"
    "job_id,user,tenant,class,submit_time,num_chips,chip_type,num_nodes,duration_s,"
    "walltime_limit_s,final_status\n";

TEST(VenusReader, KeepsJobsOfEveryFinalStatus) {
  const auto trace = read_lines(
      VenusReader(), kHeader +
                         "765563,uH3om,vcvGl,finetune,5835000000,128,,16,24.0,24.0,CANCELED\n"
                         "# in between\n"
                         "765564,uH3om,vcvGl,finetune,5835000001,8,,1,24.5,24.5,FAILED\n");
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->size(), 2U);
  const TraceJob& first = (*trace)[0];
  EXPECT_EQ(first.submit, *parse_instant("2020-09-01 01:37:15"));
  EXPECT_EQ(first.runtime, Duration(24'000'000));
  EXPECT_EQ(first.job.estimate, first.runtime);
  EXPECT_EQ(first.gpus, 128U);
  EXPECT_EQ(first.vc, "vcvGl");
  EXPECT_EQ(first.job.name, "765563");
  EXPECT_EQ(first.job.user, "uH3om");
  EXPECT_EQ((*trace)[1].submit, *parse_instant("2020-09-01 01:37:15.000001"));
}

TEST(VenusReader, TakesTheJobsOfTheVcAskedFor) {
  TraceFilter filter;
  filter.vc = "b";
  const auto trace = read_lines(VenusReader(filter), kHeader +
                                                         "1,u,a,c,1,8,,1,1,1,COMPLETED\n"
                                                         "2,u,b,c,1,8,,1,1,1,COMPLETED\n");
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->size(), 1U);
  EXPECT_EQ((*trace)[0].job.name, "2");
}

TEST(VenusReader, ErrorsNameLineFieldExpectedAndFound) {
  const auto submitted = read_lines(VenusReader(), kHeader + "1,u,a,c,-5,8,,1,1,1,COMPLETED\n");
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().message,
            "3: submit_time: expected a whole number from 0 to 63072000000000, found \"-5\"");
  const auto chips = read_lines(VenusReader(), kHeader + "1,u,a,c,5,0,,1,1,1,COMPLETED\n");
  ASSERT_FALSE(chips);
  EXPECT_EQ(chips.error().message,
            "3: num_chips: expected a whole number from 1 to 131072, found \"0\"");
  const auto fields = read_lines(VenusReader(), kHeader + "1,u,a,c,5,8,1,1,1,COMPLETED\n");
  ASSERT_FALSE(fields);
  EXPECT_EQ(fields.error().message, "3: expected 11 fields as in the header, found 10");
}

TEST(VenusReader, NeedsItsHeader) {
  const auto trace = read_lines(VenusReader(), "# only a comment\n");
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().message,
            "no header line: expected the columns job_id, user, tenant, submit_time, num_chips, "
            "duration_s");
}

}  // namespace
}  // namespace weir
