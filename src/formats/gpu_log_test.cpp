#include "formats/gpu_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/read_lines.hpp"

namespace weir {
namespace {

using ::testing::HasSubstr;
using testing::read_lines;

constexpr std::string_view kHelios =
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
    "queue\n";
constexpr std::string_view kAcme =
    "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
    "queue,gpu_time\n";

TEST(Helios, ReadsJobsAndLeavesOutWhatHoldsNoGpu) {
  HeliosReader reader;
  const auto trace = read_lines(
      reader, std::string(kHelios) +
                  "7,u1,vcA,16,64,2,COMPLETED,2020-04-01 00:00:37,2020-04-01 00:01:00,"
                  "2020-04-01 00:02:00,60,23\n"
                  "8,u1,vcA,0,64,2,COMPLETED,2020-04-01 00:00:38,2020-04-01 00:01:00,x,60,23\n"
                  "9,u2,vcB,1,4,1,CANCELLED,2020-04-01 00:00:39,None,None,0,0\n");
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->size(), 1U);
  const TraceJob& job = trace->at(0);
  EXPECT_EQ(job.gpus, 16U);
  EXPECT_EQ(job.vc, "vcA");
  EXPECT_EQ(job.job.name, "7");
  EXPECT_EQ(job.job.user, "u1");
  EXPECT_EQ(format_instant(job.submit), "2020-04-01 00:00:37");
  EXPECT_EQ(job.runtime, Duration(std::chrono::seconds(60)));
  EXPECT_EQ(job.job.estimate, job.runtime);
  EXPECT_EQ(reader.left_out(), "1 that never started, 1 without GPUs");
}

TEST(Acme, TakesTheTypeAsVirtualClusterAndNoOffset) {
  AcmeReader reader;
  const auto trace = read_lines(
      reader, std::string(kAcme) +
                  "x,u,1,8,128,pretrain,FAILED,2023-07-01 00:00:12+08:00,"
                  "2023-07-01 00:00:15+08:00,2023-07-01 01:00:15+08:00,3600.0,3,28800\n");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->at(0).vc, "pretrain");
  EXPECT_EQ(format_instant(trace->at(0).submit), "2023-07-01 00:00:12");
  EXPECT_EQ(trace->at(0).runtime, Duration(std::chrono::hours(1)));
  EXPECT_EQ(reader.left_out(), "");
}

TEST(GpuLogs, SayWhatIsWrong) {
  const auto complaint = [](std::string_view row) {
    HeliosReader reader;
    const auto trace = read_lines(reader, std::string(kHelios) + std::string(row));
    return trace ? std::string() : trace.error().message;
  };
  EXPECT_THAT(complaint("1,u,v,-1,1,1,S,2020-04-01,2020-04-01,,5,0\n"), HasSubstr("gpu_num"));
  EXPECT_THAT(complaint("1,u,v,1,1,1,S,yesterday,2020-04-01,,5,0\n"), HasSubstr("submit_time"));
  EXPECT_THAT(complaint("1,u,v,1,1,1,S,2020-04-01,2020-04-01,,-5,0\n"), HasSubstr("duration"));
  EXPECT_THAT(complaint("1,u,v,1\n"), HasSubstr("12"));
  AcmeReader reader;
  EXPECT_THAT(read_lines(reader, std::string(kHelios)).error().message, HasSubstr("type"));
}

}  // namespace
}  // namespace weir
