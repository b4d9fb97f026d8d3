#include "formats/sia.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/read_lines.hpp"

namespace weir {
namespace {

using ::testing::HasSubstr;
using testing::read_lines;

constexpr std::string_view kHeader = "name,time,application,num_replicas,batch_size\n";

TEST(Sia, GivesEachJobTheMiddleOfItsSizeClass) {
  const auto trace = read_lines(SiaReader(), std::string(kHeader) +
                                                 "cifar10-0,107,cifar10,6,2048\n"
                                                 "imagenet-1,3600,imagenet,16,200\n");
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->size(), 2U);
  EXPECT_EQ(trace->at(0).submit, Instant() + from_seconds(107));
  EXPECT_EQ(trace->at(0).gpus, 6U);
  EXPECT_EQ(trace->at(0).runtime, from_seconds(0.316 * 3600 / 6));
  EXPECT_EQ(trace->at(1).runtime, from_seconds(100.0 * 3600 / 16));
  EXPECT_EQ(trace->at(1).vc, "imagenet");
}

TEST(Sia, SaysWhatIsWrong) {
  const auto complaint = [](std::string_view row) {
    const auto trace = read_lines(SiaReader(), std::string(kHeader) + std::string(row));
    return trace ? std::string() : trace.error().message;
  };
  EXPECT_THAT(complaint("a,1,resnet,1,1\n"), HasSubstr("2: application: expected one of cifar10"));
  EXPECT_THAT(complaint("a,-1,ncf,1,1\n"), HasSubstr("time"));
  EXPECT_THAT(complaint("a,1,ncf,0,1\n"), HasSubstr("num_replicas"));
}

}  // namespace
}  // namespace weir
