#include "pool/capacity_over_time.hpp"

#include <gtest/gtest.h>

#include "support/site.hpp"

namespace weir::pool {
namespace {

using testing::at_second;
using testing::even_site;

constexpr Instant kNow = at_second(1000);
constexpr Instant kNextMoment = kNow + Duration(1);

// Two units of two nodes: n0 n1 | n2 n3.
class CapacityOverTimeTest : public ::testing::Test {
 protected:
  CapacityOverTimeTest() {
    const testing::Site site = even_site(1, 1, 2, 2);
    EXPECT_TRUE(pool_.learn(site.locality));
    for (const Node& node : site.nodes) EXPECT_TRUE(pool_.join(node));
  }
  Lease grant(std::uint64_t job, std::initializer_list<std::uint32_t> nodes, std::uint32_t gpus,
              std::int64_t until, std::optional<Level> exclusive = {}) {
    Lease lease;
    lease.until = at_second(until);
    lease.exclusive = exclusive;
    for (const std::uint32_t node : nodes)
      lease.parts.push_back(pool_.part_on(NodeId(node), {gpus, 0, 0}));
    pool_.grant(JobId(job), lease);
    return lease;
  }
  [[nodiscard]] std::vector<EligibleClass> classes(std::uint32_t gpus) const {
    return pool_.classes().eligible({}, {gpus, 0, 0}, false, false);
  }
  [[nodiscard]] CapacityOverTime future() const { return {pool_, kNow}; }

  Pool pool_;
};

TEST_F(CapacityOverTimeTest, ALeaseIsExpectedBackWhenItEndsAndAnOverdueOneAtTheNextMoment) {
  EXPECT_EQ(expected_end(at_second(1001), kNow), at_second(1001));
  EXPECT_EQ(expected_end(kNow, kNow), kNextMoment);
  EXPECT_EQ(expected_end(at_second(1), kNow), kNextMoment);
  EXPECT_EQ(expected_end(Instant(INT64_MIN), Instant::far_future()), Instant::far_future());
}

TEST_F(CapacityOverTimeTest, ANodeCoversADemandOnceEnoughOfItsLeasesHaveEnded) {
  grant(1, {0}, 4, 1300);
  grant(2, {0}, 3, 1100);
  const NodeState& node = pool_.node(NodeId(0));
  EXPECT_EQ(covers_at(node, {1, 0, 0}, kNow), kNow);
  EXPECT_EQ(covers_at(node, {2, 0, 0}, kNow), at_second(1100));
  EXPECT_EQ(covers_at(node, {4, 0, 0}, kNow), at_second(1100));
  EXPECT_EQ(covers_at(node, {5, 0, 0}, kNow), at_second(1300));
  EXPECT_EQ(covers_at(node, {8, 0, 0}, kNow), at_second(1300));
  EXPECT_EQ(covers_at(node, {9, 0, 0}, kNow), Instant::far_future());
}

TEST_F(CapacityOverTimeTest, WhatANodeHasFreeGrowsWithEachEnd) {
  grant(1, {0}, 4, 1300);
  grant(2, {0}, 3, 500);  // overdue
  const NodeState& node = pool_.node(NodeId(0));
  EXPECT_EQ(free_at(node, kNow, kNow).gpus, 1U);
  EXPECT_EQ(free_at(node, kNextMoment, kNow).gpus, 4U);
  EXPECT_EQ(free_at(node, at_second(1299), kNow).gpus, 4U);
  EXPECT_EQ(free_at(node, at_second(1300), kNow).gpus, 8U);
}

TEST_F(CapacityOverTimeTest, ADomainIsAStepFunctionOfServingNodes) {
  grant(1, {0, 1}, 8, 1300);
  grant(2, {2}, 1, 1100);
  const auto whole = [&](std::size_t depth, std::uint32_t domain) {
    return future().steps(depth, DomainId(domain), {8, 0, 0}, classes(8));
  };
  EXPECT_EQ(whole(0, 0), (std::vector<Step>{{at_second(1300), 2}}));
  EXPECT_EQ(whole(0, 1), (std::vector<Step>{{kNow, 1}, {at_second(1100), 2}}));
  EXPECT_EQ(whole(1, 0),
            (std::vector<Step>{{kNow, 1}, {at_second(1100), 2}, {at_second(1300), 4}}));
  EXPECT_EQ(future().steps(1, DomainId(0), {7, 0, 0}, classes(7)),
            (std::vector<Step>{{kNow, 2}, {at_second(1300), 4}}));
}

TEST_F(CapacityOverTimeTest, NodesThatWillNotServeAreInNoStep) {
  pool_.set_availability(NodeId(0), Availability::kDrained);
  ASSERT_TRUE(pool_.grade(NodeId(1), Grade::kBad));
  EXPECT_EQ(future().free_instants(0, {8, 0, 0}, classes(8)),
            (std::vector<std::vector<Instant>>{{}, {kNow, kNow}}));
  EXPECT_TRUE(future().steps(0, DomainId(0), {8, 0, 0}, classes(8)).empty());
}

TEST_F(CapacityOverTimeTest, TheIndexOfAnInstantIsThatOfThePoolWithTheEndedLeasesReleased) {
  const Lease first = grant(1, {0, 2}, 4, 1100);
  const Lease second = grant(2, {0}, 2, 900);
  const Lease third = grant(3, {3}, 8, 1200);
  const FreeCapacityIndex soon = future().index_at(kNextMoment);
  const FreeCapacityIndex later = future().index_at(at_second(1100));
  const FreeCapacityIndex last = future().index_at(at_second(5000));
  EXPECT_EQ(future().index_at(kNow), pool_.free());
  pool_.release(JobId(2), second);
  EXPECT_EQ(soon, pool_.free());
  pool_.release(JobId(1), first);
  EXPECT_EQ(later, pool_.free());
  pool_.release(JobId(3), third);
  EXPECT_EQ(last, pool_.free());
}

TEST_F(CapacityOverTimeTest, TheIndexOfAnInstantOpensClosedDomainsWhenTheirJobEnds) {
  const Lease lease = grant(1, {0}, 2, 1100, Level::kUnit);
  EXPECT_FALSE(future().index_at(at_second(1099)).standing(NodeId(1)).offered);
  const FreeCapacityIndex after = future().index_at(at_second(1100));
  EXPECT_TRUE(after.standing(NodeId(1)).offered);
  pool_.set_availability(NodeId(1), Availability::kDown);
  EXPECT_FALSE(future().index_at(at_second(1100)).standing(NodeId(1)).offered);
  pool_.set_availability(NodeId(1), Availability::kUp);
  pool_.release(JobId(1), lease);
  EXPECT_EQ(after, pool_.free());
}

TEST_F(CapacityOverTimeTest, TellsTheNextEndAfterAnInstant) {
  EXPECT_EQ(future().next_end(kNow), Instant::far_future());
  grant(1, {0}, 1, 1100);
  grant(2, {1}, 1, 1200);
  grant(3, {2}, 1, 10);  // overdue
  EXPECT_EQ(future().next_end(kNow), kNextMoment);
  EXPECT_EQ(future().next_end(kNextMoment), at_second(1100));
  EXPECT_EQ(future().next_end(at_second(1100)), at_second(1200));
  EXPECT_EQ(future().next_end(at_second(1200)), Instant::far_future());
}

}  // namespace
}  // namespace weir::pool
