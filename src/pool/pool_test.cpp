#include "pool/pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "support/site.hpp"

namespace weir::pool {
namespace {

using testing::at_second;
using testing::even_site;
using ::testing::HasSubstr;
using testing::node_in;
using testing::tree_of;

Pool pool_of(const testing::Site& site) {
  Pool pool;
  EXPECT_TRUE(pool.learn(site.locality));
  for (const Node& node : site.nodes) EXPECT_TRUE(pool.join(node));
  return pool;
}

// Two pods of two units with two nodes of 8 GPUs each: n0 n1 | n2 n3 || n4 n5 | n6 n7.
Pool small_pool() { return pool_of(even_site(1, 2, 2, 2)); }

Lease lease_of(const Pool& pool, std::initializer_list<std::uint32_t> nodes, Capacity each) {
  Lease lease;
  lease.until = at_second(100);
  for (const std::uint32_t node : nodes) lease.parts.push_back(pool.part_on(NodeId(node), each));
  return lease;
}

template <typename T>
std::string error_of(const Result<T>& result) {
  return result ? "no error" : result.error().message;
}

TEST(PoolJoin, GivesNodesTheirNumbersInTheOrderTheyCome) {
  Pool pool = small_pool();
  EXPECT_EQ(pool.nodes(), 8U);
  EXPECT_EQ(pool.join(node_in(1, 8)), NodeId(8));
  EXPECT_EQ(pool.node(NodeId(8)).name, "n8");
  EXPECT_EQ(pool.ledger().gpus, 72U);
  EXPECT_EQ(pool.node(NodeId(8)).free_gpus, 0xffU);
}

TEST(PoolJoin, WithoutATreeAllNodesStandInOneUnit) {
  Pool pool;
  EXPECT_TRUE(pool.join(node_in(0, 0)));
  EXPECT_EQ(error_of(pool.join(node_in(1, 1))),
            "node n1: it stands in unit 1, which the locality tree lacks");
}

TEST(PoolJoin, RefusesWhatCannotStandBesideTheOthersAndStaysAsItWas) {
  Pool pool = small_pool();
  EXPECT_EQ(error_of(pool.join(node_in(0, 3))), "node n3: a node of this name has joined already");
  EXPECT_THAT(error_of(pool.join(node_in(4, 8))), HasSubstr("unit 4, which the locality tree"));
  Node node = node_in(0, 8);
  node.kind.total.gpus = limits::kGpusPerNode + 1;
  EXPECT_THAT(error_of(pool.join(node)), HasSubstr("gpus = 33"));
  node = node_in(0, 8);
  node.cell = DomainId::none();
  EXPECT_THAT(error_of(pool.join(node)), HasSubstr("which the locality tree lacks"));
  EXPECT_EQ(pool.nodes(), 8U);
  EXPECT_TRUE(pool.audit());
  EXPECT_TRUE(pool.join(node_in(0, 8))) << "the name of a refused node is still free";
}

TEST(PoolJoin, TakesANodeOf32GpusAndOneWithNone) {
  Pool pool;
  EXPECT_TRUE(pool.join(node_in(0, 0, {32, 1, 1})));
  EXPECT_TRUE(pool.join(node_in(0, 1, {0, UINT32_MAX, UINT32_MAX})));
  EXPECT_EQ(pool.node(NodeId(0)).free_gpus, ~GpuMask{0});
  EXPECT_EQ(pool.node(NodeId(1)).free_gpus, 0U);
  EXPECT_TRUE(pool.audit());
}

TEST(PoolJoin, RefusesMoreNodesThanItsLimit) {
  Pool pool;
  for (std::uint32_t i = 0; i < limits::kNodes; ++i) ASSERT_TRUE(pool.join(node_in(0, i)));
  EXPECT_EQ(error_of(pool.join(node_in(0, limits::kNodes))),
            "node n32768: the pool holds 32768 nodes, its limit");
}

// A class for each set of rails, in a tree as wide as trees may be.
TEST(PoolJoin, RefusesAClassOfNodesThatWouldBlowUpTheIndex) {
  Pool pool;
  ASSERT_TRUE(pool.learn(tree_of(1, 1, limits::kDomainsPerLevel)));
  std::uint32_t joined = 0;
  Node node = node_in(0, 0, {32, 64, 512});
  for (;; ++joined) {
    node = node_in(0, joined, {32, 64, 512});
    node.rails = static_cast<RailMask>(joined);
    if (const auto id = pool.join(node); !id) {
      EXPECT_EQ(id.error().code, Errc::kLimit);
      EXPECT_THAT(id.error().message, HasSubstr("classes of nodes"));
      break;
    }
  }
  EXPECT_EQ(joined, 62U);
  EXPECT_EQ(error_of(pool.grade(NodeId(0), Grade::kBad)).substr(0, 19), "63 classes of nodes");
  EXPECT_EQ(pool.classes().node_class(pool.node(NodeId(0)).node_class).grade, Grade::kGood);
  node.rails = 7;
  EXPECT_TRUE(pool.join(node)) << "a node of a class that is there costs nothing";
}

TEST(PoolLearn, OnlyTakesASoundTreeBeforeTheFirstNode) {
  Pool pool;
  EXPECT_THAT(error_of(pool.learn(Locality{})), HasSubstr("locality has no level"));
  EXPECT_EQ(pool.locality(), flat_locality());
  EXPECT_TRUE(pool.learn(tree_of(1, 2, 2)));
  EXPECT_TRUE(pool.learn(tree_of(1, 1, 2)));
  EXPECT_TRUE(pool.join(node_in(1, 0)));
  EXPECT_EQ(error_of(pool.learn(tree_of(1, 2, 2))),
            "the locality tree must be known before the first node joins");
}

TEST(Pool, APartTakesTheLowestFreeGpus) {
  Pool pool = small_pool();
  pool.grant(JobId(1), lease_of(pool, {0}, {3, 0, 0}));
  pool.grant(JobId(2), lease_of(pool, {0}, {2, 0, 0}));
  pool.release(JobId(1), Lease{{{NodeId(0), 0b111, 0, 0}}, {}, at_second(100), {}, {}});
  EXPECT_EQ(pool.part_on(NodeId(0), {4, 5, 6}), (LeasePart{NodeId(0), 0b100111, 5, 6}));
  EXPECT_EQ(pool.part_on(NodeId(0), {0, 5, 6}), (LeasePart{NodeId(0), 0, 5, 6}));
}

TEST(Pool, GrantsAndReleasesKeepTheLedger) {
  Pool pool = small_pool();
  const Ledger idle = pool.ledger();
  const Lease gang = lease_of(pool, {0, 1}, {8, 64, 512});
  pool.grant(JobId(1), gang);
  const Lease small = lease_of(pool, {2}, {1, 10, 100});
  pool.grant(JobId(2), small);
  EXPECT_EQ(pool.ledger(), (Ledger{64, 17'000, 2, 3}));
  EXPECT_EQ(pool.node(NodeId(2)).free, (Capacity{7, 54, 412}));
  EXPECT_EQ(pool.node(NodeId(2)).free_gpus, 0xfeU);
  EXPECT_EQ(pool.node(NodeId(2)).holdings,
            (std::vector<Holding>{{JobId(2), at_second(100), {1, 10, 100}, 1}}));
  EXPECT_EQ(pool.free().counts(0, ClassId(0), 8)[0], 0U);
  EXPECT_EQ(pool.free().counts(0, ClassId(0), 7)[1], 2U);
  EXPECT_TRUE(pool.free().standing(NodeId(2)).busy);
  EXPECT_TRUE(pool.audit());
  pool.release(JobId(1), gang);
  pool.release(JobId(2), small);
  EXPECT_EQ(pool.ledger(), idle);
  EXPECT_EQ(pool.free(), pool.idle());
  EXPECT_TRUE(pool.audit());
}

TEST(Pool, OffersNothingOfDrainedNodesButKeepsWhatRuns) {
  Pool pool = small_pool();
  const Lease lease = lease_of(pool, {0}, {2, 0, 0});
  pool.grant(JobId(1), lease);
  pool.set_availability(NodeId(0), Availability::kDrained);
  EXPECT_FALSE(pool.free().standing(NodeId(0)).offered);
  EXPECT_TRUE(pool.idle().standing(NodeId(0)).offered);
  pool.release(JobId(1), lease);
  EXPECT_FALSE(pool.free().standing(NodeId(0)).offered);
  pool.set_availability(NodeId(0), Availability::kUp);
  EXPECT_EQ(pool.free(), pool.idle());
}

TEST(Pool, AGradeMovesTheNodeToAnotherClassNowAndIdle) {
  Pool pool = small_pool();
  pool.grant(JobId(1), lease_of(pool, {3}, {2, 0, 0}));
  static_cast<void>(pool.free());
  const std::uint64_t version = pool.inventory_version();
  ASSERT_TRUE(pool.grade(NodeId(3), Grade::kPoor));
  EXPECT_GT(pool.inventory_version(), version);
  const ClassId poor = pool.node(NodeId(3)).node_class;
  EXPECT_EQ(pool.free().counts(0, poor, 6)[1], 1U);
  EXPECT_EQ(pool.idle().counts(0, poor, 8)[1], 1U);
  EXPECT_EQ(pool.idle().counts(0, ClassId(0), 8)[1], 1U);
  EXPECT_TRUE(pool.audit());
  const std::uint64_t graded = pool.inventory_version();
  ASSERT_TRUE(pool.grade(NodeId(3), Grade::kPoor));
  EXPECT_EQ(pool.inventory_version(), graded) << "nothing has changed";
}

TEST(Pool, AnExclusiveLeaseClosesTheDomainsItTouchesUntilItIsReleased) {
  Pool pool = small_pool();
  Lease lease = lease_of(pool, {0, 4}, {8, 0, 0});
  lease.exclusive = Level::kUnit;
  pool.grant(JobId(1), lease);
  for (const std::uint32_t closed : {0U, 1U, 4U, 5U})
    EXPECT_FALSE(pool.free().standing(NodeId(closed)).offered);
  for (const std::uint32_t open : {2U, 3U, 6U, 7U})
    EXPECT_TRUE(pool.free().standing(NodeId(open)).offered);
  EXPECT_EQ(pool.closed().at(JobId(1)).nodes,
            (std::vector<NodeId>{NodeId(0), NodeId(1), NodeId(4), NodeId(5)}));
  EXPECT_EQ(pool.closed().at(JobId(1)).until, at_second(100));
  EXPECT_TRUE(pool.audit());
  pool.release(JobId(1), lease);
  EXPECT_TRUE(pool.closed().empty());
  EXPECT_EQ(pool.free(), pool.idle());
}

using PoolDeathTest = ::testing::Test;

TEST(PoolDeathTest, AGpuIsNeverLeasedTwice) {
  Pool pool = small_pool();
  const Lease lease = lease_of(pool, {0}, {4, 0, 0});
  pool.grant(JobId(1), lease);
  EXPECT_DEATH(pool.grant(JobId(2), lease), "can_take");
}

TEST(PoolDeathTest, ALeaseIsReleasedOnlyOnceAndOnlyByItsJob) {
  Pool pool = small_pool();
  const Lease lease = lease_of(pool, {0}, {4, 0, 0});
  pool.grant(JobId(1), lease);
  EXPECT_DEATH(pool.release(JobId(2), lease), "holdings");
}

}  // namespace
}  // namespace weir::pool
