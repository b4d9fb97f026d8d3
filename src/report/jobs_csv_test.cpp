#include "report/jobs_csv.hpp"

#include <gtest/gtest.h>

#include "report/test_sample.hpp"

namespace weir::report {
namespace {

TEST(JobsCsv, Golden) {
  auto run = testing::run("fifo", "weir", 1000, 0.1);
  run.outcomes.resize(2);
  run.outcomes[1].start = run.outcomes[1].start + Duration(250'000);
  run.outcomes.push_back({.job = JobId(3),
                          .submit = testing::instant("2017-10-01 00:02:00"),
                          .start = {},
                          .end = {},
                          .gpus = 64,
                          .nodes = 0,
                          .units = 0,
                          .pods = 0,
                          .refused = true,
                          .refusal = "asks 8 nodes, \"big\" pool has 2"});
  EXPECT_EQ(jobs_csv(run),
            "row,job,submit,start,end,wait_s,runtime_s,completion_s,gpus,nodes,units,pods,refused,"
            "reason\n"
            "1,1,2017-10-01T00:00:00,2017-10-01T00:00:00,2017-10-01T00:10:00,0,600,600,1,1,1,1,"
            "false,\n"
            "2,2,2017-10-01T00:01:00,2017-10-01T00:02:30.25,2017-10-01T00:12:30,90.25,599.75,690,"
            "4,1,1,1,false,\n"
            "3,3,2017-10-01T00:02:00,,,,,,64,0,0,0,true,"
            "\"asks 8 nodes, \"\"big\"\" pool has 2\"\n");
}

TEST(JobsCsv, UnitsAreEmptyWithoutTopology) {
  auto run = testing::without_topology(testing::sample()).runs[0];
  run.outcomes.resize(1);
  EXPECT_TRUE(jobs_csv(run).ends_with(",1,1,,,false,\n"));
}

TEST(CsvField, QuotesByRfc4180) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field(""), "");
}

}  // namespace
}  // namespace weir::report
