#include "model/job.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/limits.hpp"

namespace weir {
namespace {

using ::testing::HasSubstr;

TEST(Capacity, CoversByResource) {
  const Capacity node{8, 96, 1024};
  const Capacity part{4, 96, 0};
  EXPECT_TRUE(node.covers(part));
  EXPECT_FALSE(part.covers(node));
  EXPECT_FALSE(node.covers({8, 97, 0}));
  EXPECT_EQ(lesser(node, {9, 5, 2048}), (Capacity{8, 5, 1024}));
}

TEST(Capacity, CoversAShareOnASharedOrAWholeGpu) {
  const Capacity half{0, 0, 0, 500};
  EXPECT_TRUE((Capacity{1, 0, 0, 0}).covers(half));
  EXPECT_TRUE((Capacity{0, 0, 0, 500}).covers(half));
  EXPECT_FALSE((Capacity{0, 0, 0, 499}).covers(half));
  EXPECT_FALSE((Capacity{0, 0, 0, 999}).covers({1, 0, 0, 0}));
  EXPECT_EQ(half.milli_gpus(), 500U);
  EXPECT_EQ((Capacity{3, 0, 0, 0}).milli_gpus(), 3000U);
}

TEST(GangOfGpus, PutsTheRemainderOnOneMoreNode) {
  EXPECT_EQ(gang_of_gpus(16, 8), (Gang{2, {8, 0, 0}, {}}));
  EXPECT_EQ(gang_of_gpus(20, 8), (Gang{2, {8, 0, 0}, {4, 0, 0}}));
  EXPECT_EQ(gang_of_gpus(20, 8).node_count(), 3U);
  EXPECT_EQ(gang_of_gpus(3, 8), (Gang{1, {3, 0, 0}, {}}));
  EXPECT_EQ(gang_of_gpus(8, 8), (Gang{1, {8, 0, 0}, {}}));
}

RC_GTEST_PROP(GangOfGpus, KeepsTheCountAndIsAlwaysAValidGang, ()) {
  const auto gpus = *rc::gen::inRange<std::uint64_t>(1, limits::kNodes);
  const auto per_node = *rc::gen::inRange<std::uint32_t>(1, limits::kGpusPerNode + 1);
  Job job;
  job.gang = gang_of_gpus(gpus, per_node);
  RC_ASSERT(job.gang.gpus() == gpus);
  RC_ASSERT(check(job).has_value());
}

Job good_job() {
  Job job;
  job.name = "train";
  job.gang = {4, {8, 0, 0}, {}};
  return job;
}

std::string error_of(const Job& job) {
  const Status status = check(job);
  return status ? "no error" : status.error().message;
}

TEST(CheckJob, TakesWhatIsInOrder) {
  Job job = good_job();
  EXPECT_EQ(error_of(job), "no error");
  job.gang.tail = {4, 0, 0};
  job.requirement.features = {"ib", "nvlink"};
  job.estimate = limits::kLongestDuration;
  EXPECT_EQ(error_of(job), "no error");
  job = good_job();
  job.wish.segment_nodes = 2;
  EXPECT_EQ(error_of(job), "no error");
  job.gang = {1, {0, 4, 0}, {}};  // a job without GPUs
  job.wish.segment_nodes = 0;
  EXPECT_EQ(error_of(job), "no error");
}

TEST(CheckJob, NamesTheFieldThatIsWrong) {
  Job job = good_job();
  job.gang.nodes = 0;
  EXPECT_EQ(error_of(job), "nodes = 0: expected 1 to 32768");
  job.gang.nodes = limits::kNodes + 1;
  EXPECT_THAT(error_of(job), HasSubstr("nodes = 32769"));
  job = good_job();
  job.gang.per_node.gpus = 33;
  EXPECT_EQ(error_of(job), "gpus = 33 a node: expected at most 32");
  job = good_job();
  job.gang.per_node = {};
  EXPECT_THAT(error_of(job), HasSubstr("asks for nothing"));
  job = good_job();
  job.gang.tail = {8, 1, 0};
  EXPECT_THAT(error_of(job), HasSubstr("the tail asks for more"));
  job = good_job();
  job.estimate = Duration(-1);
  EXPECT_THAT(error_of(job), HasSubstr("estimate = "));
  job.estimate = limits::kLongestDuration + Duration(1);
  EXPECT_THAT(error_of(job), HasSubstr("estimate = "));
  job = good_job();
  job.user = std::string(limits::kNameBytes + 1, 'x');
  EXPECT_EQ(error_of(job), "a name has 257 bytes: expected at most 256");
}

TEST(CheckJob, ATailOnTheLastPossibleNodeIsOneNodeTooMany) {
  Job job = good_job();
  job.gang = {limits::kNodes, {8, 0, 0}, {4, 0, 0}};
  EXPECT_THAT(error_of(job), HasSubstr("expected 1 to 32768"));
  job.gang = {UINT32_MAX, {8, 0, 0}, {4, 0, 0}};  // node_count() would wrap to zero
  EXPECT_THAT(error_of(job), HasSubstr("expected 1 to 32768"));
}

TEST(CheckJob, SegmentsDivideTheGang) {
  Job job = good_job();
  job.wish.segment_nodes = 3;
  EXPECT_EQ(error_of(job), "segment = 3: expected a divisor of the 4 nodes of the gang");
  job.wish.segment_nodes = 2;
  job.gang.tail = {1, 0, 0};
  EXPECT_THAT(error_of(job), HasSubstr("segment = 2"));
}

TEST(CheckJob, FeaturesAreSortedNamesEachOnce) {
  Job job = good_job();
  job.requirement.features = {"b", "a"};
  EXPECT_EQ(error_of(job), "features: expected sorted names, each once");
  job.requirement.features = {"a", "a"};
  EXPECT_EQ(error_of(job), "features: expected sorted names, each once");
  job.requirement.features = {""};
  EXPECT_EQ(error_of(job), "features: expected names of 1 to 256 bytes");
  job.requirement.features.clear();
  for (int i = 100; i < 165; ++i) job.requirement.features.push_back(std::to_string(i));
  EXPECT_EQ(error_of(job), "features: 65 names, expected at most 64");
}

}  // namespace
}  // namespace weir
