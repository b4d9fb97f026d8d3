// Trials of the pool: whatever is tried is taken back exactly.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/rng.hpp"
#include "pool/pool.hpp"
#include "support/site.hpp"

namespace weir::pool {
namespace {

using testing::at_second;
using testing::even_site;

// All that readers of a pool can see change.
struct Seen {
  FreeCapacityIndex free;
  Ledger ledger;
  std::vector<std::vector<Holding>> holdings;
  std::vector<std::uint32_t> closed_by;
  std::vector<GpuMask> masks;

  explicit Seen(const Pool& pool) : free(pool.free()), ledger(pool.ledger()) {
    for (std::uint32_t i = 0; i < pool.nodes(); ++i) {
      holdings.push_back(pool.node(NodeId(i)).holdings);
      closed_by.push_back(pool.node(NodeId(i)).closed_by);
      masks.push_back(pool.node(NodeId(i)).free_gpus);
    }
  }
  friend bool operator==(const Seen&, const Seen&) = default;
};

class TrialTest : public ::testing::Test {
 protected:
  TrialTest() {
    const testing::Site site = even_site(1, 2, 2, 2);
    EXPECT_TRUE(pool_.learn(site.locality));
    for (const Node& node : site.nodes) EXPECT_TRUE(pool_.join(node));
    grant(1, {0}, {3, 8, 64});
  }
  void grant(std::uint64_t job, std::initializer_list<std::uint32_t> nodes, Capacity each,
             std::optional<Level> exclusive = {}) {
    Lease lease;
    lease.until = at_second(100);
    lease.exclusive = exclusive;
    for (const std::uint32_t node : nodes) lease.parts.push_back(pool_.part_on(NodeId(node), each));
    pool_.grant(JobId(job), lease);
  }
  [[nodiscard]] std::uint32_t offered(std::uint32_t node) const {
    return pool_.free().standing(NodeId(node)).free.gpus;
  }

  Pool pool_;
};

TEST_F(TrialTest, TakesGrantsBack) {
  const Seen before(pool_);
  {
    const Pool::Trial trial(pool_);
    grant(2, {0, 1, 2}, {4, 8, 8});
    grant(3, {3, 1}, {1, 0, 0});
    EXPECT_EQ(pool_.ledger().leases, 3U);
    EXPECT_TRUE(pool_.audit());
  }
  EXPECT_EQ(Seen(pool_), before);
  EXPECT_TRUE(pool_.audit());
}

TEST_F(TrialTest, TakesTheClosingOfDomainsBack) {
  const Seen before(pool_);
  {
    const Pool::Trial trial(pool_);
    grant(2, {2, 3}, {8, 0, 0}, Level::kUnit);
    grant(3, {4}, {8, 0, 0}, Level::kPod);
    EXPECT_EQ(pool_.closed().size(), 2U);
    EXPECT_FALSE(pool_.free().standing(NodeId(7)).offered);
  }
  EXPECT_TRUE(pool_.closed().empty());
  EXPECT_EQ(Seen(pool_), before);
}

TEST_F(TrialTest, WhatStandsBeforeAnInnerTrialStandsAfterIt) {
  const Seen before(pool_);
  {
    const Pool::Trial outer(pool_);
    grant(2, {1}, {4, 0, 0});
    const Seen between(pool_);
    {
      const Pool::Trial inner(pool_);
      grant(3, {1, 4}, {4, 0, 0});
      grant(4, {6}, {8, 0, 0}, Level::kUnit);
    }
    EXPECT_EQ(Seen(pool_), between);
    grant(5, {1}, {4, 0, 0});
  }
  EXPECT_EQ(Seen(pool_), before);
}

TEST_F(TrialTest, ALimitLowersWhatTheIndexOffersAndNothingElse) {
  const Seen before(pool_);
  {
    const Pool::Trial trial(pool_);
    pool_.limit(NodeId(2), {5, 64, 512});
    EXPECT_EQ(offered(2), 5U);
    EXPECT_EQ(pool_.node(NodeId(2)).free.gpus, 8U);
    EXPECT_FALSE(pool_.free().standing(NodeId(2)).busy);
    pool_.limit(NodeId(2), {6, 64, 512});
    EXPECT_EQ(offered(2), 6U) << "the later limit takes the place of the earlier";
    pool_.lift_limit(NodeId(2));
    EXPECT_EQ(offered(2), 8U);
    pool_.limit(NodeId(0), {8, 64, 512});
    EXPECT_EQ(offered(0), 5U) << "never more than what is free";
  }
  EXPECT_EQ(Seen(pool_), before);
  EXPECT_TRUE(pool_.audit());
}

TEST_F(TrialTest, ALimitHoldsWhileGrantsComeAndGo) {
  const Pool::Trial trial(pool_);
  pool_.limit(NodeId(2), {5, 64, 512});
  {
    const Pool::Trial inner(pool_);
    grant(2, {2}, {2, 0, 0});
    EXPECT_EQ(offered(2), 5U) << "6 are free, 5 may be offered";
    grant(3, {2}, {2, 0, 0});
    EXPECT_EQ(offered(2), 4U);
  }
  EXPECT_EQ(offered(2), 5U);
}

TEST_F(TrialTest, AnInnerTrialGivesTheLimitsOfTheOuterBack) {
  const Seen before(pool_);
  {
    const Pool::Trial outer(pool_);
    pool_.limit(NodeId(2), {5, 64, 512});
    pool_.limit(NodeId(3), {5, 64, 512});
    {
      const Pool::Trial inner(pool_);
      pool_.limit(NodeId(2), {1, 64, 512});
      pool_.lift_limit(NodeId(3));
      pool_.limit(NodeId(4), {0, 0, 0});
      EXPECT_EQ(offered(2), 1U);
      EXPECT_EQ(offered(3), 8U);
    }
    EXPECT_EQ(offered(2), 5U);
    EXPECT_EQ(offered(3), 5U);
    EXPECT_EQ(offered(4), 8U);
    {
      const Pool::Trial another(pool_);
      pool_.limit(NodeId(2), {2, 64, 512});
    }
    EXPECT_EQ(offered(2), 5U);
  }
  EXPECT_EQ(Seen(pool_), before);
}

TEST_F(TrialTest, WorksBeforeTheIndexWasEverAskedFor) {
  Pool fresh;
  ASSERT_TRUE(fresh.join(testing::node_in(0, 0)));
  {
    const Pool::Trial trial(fresh);
    fresh.limit(NodeId(0), {1, 0, 0});
    EXPECT_EQ(fresh.free().standing(NodeId(0)).free.gpus, 1U);
  }
  EXPECT_EQ(fresh.free(), fresh.idle());
}

// Grants and limits at random in trials within trials; `depth` trials are open around it.
void try_things(Pool& pool, Rng& rng, std::uint64_t& next_job, int depth) {
  const Seen before(pool);
  {
    const Pool::Trial trial(pool);
    for (int i = 0; i < 6; ++i) {
      const NodeId node(static_cast<std::uint32_t>(rng.below(pool.nodes())));
      const std::uint64_t kind = rng.below(depth < 3 ? 4 : 3);
      if (kind == 0) {
        pool.limit(node, {static_cast<std::uint32_t>(rng.below(9)), 64, 512});
      } else if (kind == 1) {
        pool.lift_limit(node);
      } else if (kind == 2 && pool.node(node).closed_by == 0) {
        Lease lease;
        const auto gpus = static_cast<std::uint32_t>(rng.below(pool.node(node).free.gpus + 1));
        lease.parts.push_back(pool.part_on(node, {gpus, 0, 0}));
        if (rng.below(4) == 0) lease.exclusive = Level::kUnit;
        pool.grant(JobId(next_job++), lease);
      } else if (kind == 3) {
        try_things(pool, rng, next_job, depth + 1);
      }
    }
    RC_ASSERT(pool.audit().has_value());
  }
  RC_ASSERT(Seen(pool) == before);
}

RC_GTEST_PROP(Trial, LeavesNoTraceWhateverIsTried, (std::uint64_t seed)) {
  const testing::Site site = even_site(1, 2, 2, 2);
  Pool pool;
  RC_ASSERT(pool.learn(site.locality).has_value());
  for (const Node& node : site.nodes) RC_ASSERT(pool.join(node).has_value());
  Rng rng(seed);
  std::uint64_t next_job = 1;
  for (int i = 0; i < 3; ++i) try_things(pool, rng, next_job, 1);
  RC_ASSERT(pool.free() == pool.idle());
}

}  // namespace
}  // namespace weir::pool
