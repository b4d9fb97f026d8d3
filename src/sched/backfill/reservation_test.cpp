#include "sched/backfill/reservation.hpp"

#include <gtest/gtest.h>

#include "sched/placement/test_cluster.hpp"
#include "sched/placement/weir_placer.hpp"

namespace weir::sched {
namespace {

using testing::at_second;
using testing::Cluster;
using testing::even_site;
using testing::gang_job;
using testing::Nodes;
using testing::units_of;

constexpr Instant kNow = at_second(1000);

std::optional<Reservation> reserve_in(const Cluster& cluster, const Job& job) {
  WeirPlacer placer;
  Rng rng(1);
  return Reserver().reserve(cluster.pool, {cluster.request(job), {}}, placer, rng, kNow);
}

Nodes nodes_of(const std::optional<Reservation>& reservation) {
  Nodes nodes;
  if (reservation)
    for (const NodeId node : reservation->placement.nodes) nodes.push_back(node.value());
  return nodes;
}

TEST(Reservation, IsTheFirstInstantAtWhichEnoughNodesAreFree) {
  Cluster cluster(units_of({3}));
  cluster.occupy_all_gpus({0}, at_second(1300));
  cluster.occupy_all_gpus({1}, at_second(1100));
  cluster.occupy_all_gpus({2}, at_second(1200));
  EXPECT_EQ(reserve_in(cluster, gang_job(1, 8))->at, at_second(1100));
  EXPECT_EQ(reserve_in(cluster, gang_job(2, 8))->at, at_second(1200));
  EXPECT_EQ(nodes_of(reserve_in(cluster, gang_job(2, 8))), (Nodes{1, 2}));
  EXPECT_EQ(reserve_in(cluster, gang_job(3, 8))->at, at_second(1300));
  EXPECT_FALSE(reserve_in(cluster, gang_job(4, 8)));
}

TEST(Reservation, WaitsForDomainsNotForTheWholeSite) {
  Cluster cluster(even_site(2, 1, 1, 2));
  cluster.occupy_all_gpus({0}, at_second(1100));
  cluster.occupy_all_gpus({2}, at_second(1200));
  cluster.occupy_all_gpus({3}, at_second(1300));
  EXPECT_EQ(reserve_in(cluster, gang_job(2, 8))->at, at_second(1100));
  cluster.pool.set_availability(NodeId(1), Availability::kDrained);
  EXPECT_EQ(reserve_in(cluster, gang_job(2, 8))->at, at_second(1300));
}

TEST(Reservation, WaitsForTheTailToo) {
  Cluster cluster(units_of({2}));
  cluster.occupy_all_gpus({0}, at_second(1100));
  cluster.occupy(1, {7, 0, 0}, at_second(1200));
  Job job = gang_job(1, 8);
  job.gang.tail.gpus = 1;
  EXPECT_EQ(reserve_in(cluster, job)->at, at_second(1100));
  job.gang.tail.gpus = 2;
  EXPECT_EQ(reserve_in(cluster, job)->at, at_second(1200));
}

TEST(Reservation, OfAnExclusiveGangWaitsUntilItsDomainIsIdle) {
  Cluster cluster(units_of({2, 2}));
  cluster.occupy(0, {1, 0, 0}, at_second(1400));
  cluster.occupy(2, {1, 0, 0}, at_second(1300));
  cluster.occupy(3, {1, 0, 0}, at_second(1200));
  Job job = gang_job(1, 4);
  job.wish.exclusive = Level::kUnit;
  const auto reservation = reserve_in(cluster, job);
  EXPECT_EQ(reservation->at, at_second(1300));
  EXPECT_EQ(nodes_of(reservation), (Nodes{2}));
}

TEST(Reservation, OfSegmentsWaitsUntilWholeSegmentsFit) {
  Cluster cluster(units_of({2, 2}));
  cluster.occupy_all_gpus({0}, at_second(1100));
  cluster.occupy_all_gpus({2}, at_second(1500));
  cluster.occupy_all_gpus({3}, at_second(1200));
  Job job = gang_job(2, 8);
  job.wish.segment_nodes = 2;
  EXPECT_EQ(reserve_in(cluster, job)->at, at_second(1100));
  job.gang.nodes = 4;
  EXPECT_EQ(reserve_in(cluster, job)->at, at_second(1500));
}

TEST(Reservation, ExpectsOverdueLeasesAtTheNextMoment) {
  Cluster cluster(units_of({1}));
  cluster.occupy_all_gpus({0}, at_second(900));
  EXPECT_EQ(reserve_in(cluster, gang_job(1, 8))->at, kNow + Duration(1));
}

TEST(Reservation, IsNotMadeOnWhatNeverEnds) {
  Cluster cluster(units_of({1}));
  cluster.occupy_all_gpus({0}, Instant::far_future());
  EXPECT_FALSE(reserve_in(cluster, gang_job(1, 8)));
}

TEST(ReservedNodes, OfferOthersOnlyWhatIsFreeNowAndThen) {
  Cluster cluster(units_of({2}));
  cluster.occupy(0, {6, 0, 0}, at_second(1100));
  cluster.occupy(1, {8, 0, 0}, at_second(5000));
  const Job job = gang_job(1, 5);
  const auto reservation = reserve_in(cluster, job);
  ASSERT_EQ(nodes_of(reservation), (Nodes{0}));
  const pool::Pool::Trial trial(cluster.pool);
  ReservedNodes reserved(cluster.pool, cluster.request(job), *reservation, kNow);
  const auto offered = [&] { return cluster.pool.free().standing(NodeId(0)).free.gpus; };
  EXPECT_EQ(offered(), 2U);
  reserved.raise();
  EXPECT_EQ(offered(), 2U) << "3 are spare then, 2 are free now";
  reserved.lower();

  Lease lease;
  lease.parts.push_back(cluster.pool.part_on(NodeId(0), {2, 0, 0}));
  lease.until = at_second(9000);
  cluster.pool.grant(JobId(7), lease);
  reserved.take(lease);
  EXPECT_EQ(offered(), 0U);
  reserved.raise();
  EXPECT_EQ(offered(), 0U);
  cluster.pool.limit(NodeId(0), {0, 0, 0});
  reserved.lower();
  EXPECT_EQ(offered(), 0U);
}

TEST(ReservedNodes, OfAnExclusiveGangLeaveNothingOfItsDomains) {
  Cluster cluster(units_of({2, 2}));
  cluster.occupy(0, {1, 0, 0}, at_second(1100));
  cluster.occupy(2, {1, 0, 0}, at_second(1200));
  Job job = gang_job(1, 8);
  job.wish.exclusive = Level::kUnit;
  const auto reservation = reserve_in(cluster, job);
  ASSERT_EQ(reservation->at, at_second(1100));
  const pool::Pool::Trial trial(cluster.pool);
  ReservedNodes reserved(cluster.pool, cluster.request(job), *reservation, kNow);
  reserved.raise();
  EXPECT_EQ(cluster.by_unit(gang_job(2, 1)), (Nodes{0, 2}));
  EXPECT_FALSE(cluster.place(gang_job(3, 1)));
  reserved.lower();
  EXPECT_TRUE(cluster.place(gang_job(3, 1)));
}

}  // namespace
}  // namespace weir::sched
