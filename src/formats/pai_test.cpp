#include "formats/pai.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/read_lines.hpp"

namespace weir {
namespace {

using ::testing::HasSubstr;
using testing::read_lines;

constexpr std::string_view kHeader =
    "submit_time,duration,job_id,num_inst,num_gpu,num_cpu,user,gpu_type,group\n";

TEST(Pai, MultipliesInstancesAndRoundsPartsUp) {
  PaiReader reader;
  const auto trace = read_lines(reader, std::string(kHeader) +
                                            "5.0,100,j1,4,2,8,u,V100,g\n"
                                            "6,100.5,j2,3,0.5,8,u,MISC,g\n"
                                            "7,100,j3,,1.0,8,u,T4,g\n"
                                            "7,100,j6,1,0.25,8,u,T4,g\n"
                                            "8,100,j4,1,0,8,u,CPU,g\n"
                                            "9,100,j5,1,,8,u,CPU,g\n");
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->size(), 4U);
  EXPECT_EQ(trace->at(0).gpus, 8U);
  EXPECT_EQ(trace->at(0).submit, Instant() + from_seconds(5));
  EXPECT_EQ(trace->at(0).vc, "g");
  EXPECT_EQ(trace->at(1).gpus, 2U);
  EXPECT_EQ(trace->at(1).runtime, from_seconds(100.5));
  EXPECT_EQ(trace->at(2).gpus, 1U);
  EXPECT_EQ(trace->at(3).gpus, 0U);
  EXPECT_EQ(trace->at(3).job.gang.per_node.gpu_milli, 250U);
  EXPECT_EQ(reader.left_out(), "2 without GPUs; 1 kept but rounded up to whole GPUs");
}

TEST(Pai, SaysWhatIsWrong) {
  const auto complaint = [](std::string_view row) {
    const auto trace = read_lines(PaiReader(), std::string(kHeader) + std::string(row));
    return trace ? std::string() : trace.error().message;
  };
  EXPECT_THAT(complaint("5,1,j,1,-1,8,u,V100,g\n"), HasSubstr("2: num_gpu: expected a number"));
  EXPECT_THAT(complaint("5,1,j,0,1,8,u,V100,g\n"), HasSubstr("num_inst"));
  EXPECT_THAT(complaint("5,1,j,131072,2,8,u,V100,g\n"), HasSubstr("num_inst x num_gpu"));
  EXPECT_THAT(complaint("-5,1,j,1,1,8,u,V100,g\n"), HasSubstr("submit_time"));
}

}  // namespace
}  // namespace weir
