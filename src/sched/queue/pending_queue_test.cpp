#include "sched/queue/pending_queue.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/rng.hpp"

namespace weir::sched {
namespace {

using state::ShapeId;

PendingQueue::Item item_of(std::int64_t rank, std::uint32_t shape) {
  return {{rank, Instant(0), JobId(static_cast<std::uint64_t>(rank))}, ShapeId(shape)};
}

std::vector<std::int64_t> ranks_of(const PendingQueue& queue) {
  std::vector<std::int64_t> ranks;
  for (PendingQueue::Walk walk(queue); !walk.at_end(); walk.next())
    ranks.push_back(walk.item().key.rank);
  return ranks;
}

// Odd ranks of shape 1, even ones of shape 2; every rank above 4 is long.
PendingQueue two_shapes() {
  PendingQueue queue;
  for (const std::int64_t rank : {6, 2, 5, 1, 4, 3})
    queue.insert(item_of(rank, rank % 2 == 0 ? 2 : 1), Duration(rank > 4 ? 100 : 10));
  return queue;
}

TEST(PendingQueue, OrdersJobsOfAllShapesTogether) {
  PendingQueue queue = two_shapes();
  EXPECT_EQ(queue.size(), 6U);
  EXPECT_EQ(queue.first(), item_of(1, 1));
  EXPECT_EQ(ranks_of(queue), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
  queue.erase(item_of(1, 1));
  EXPECT_EQ(queue.first(), item_of(2, 2));
  queue.insert(item_of(0, 1), Duration(1));
  EXPECT_EQ(queue.first(), item_of(0, 1)) << "a new head of its lane";
  EXPECT_EQ(ranks_of(queue), (std::vector<std::int64_t>{0, 2, 3, 4, 5, 6}));
}

TEST(PendingQueue, BreaksTiesOfRankByTimeOfSubmissionThenById) {
  PendingQueue queue;
  queue.insert({{7, Instant(5), JobId(1)}, ShapeId(0)}, Duration(1));
  queue.insert({{7, Instant(4), JobId(3)}, ShapeId(1)}, Duration(1));
  queue.insert({{7, Instant(4), JobId(2)}, ShapeId(2)}, Duration(1));
  std::vector<JobId> jobs;
  for (PendingQueue::Walk walk(queue); !walk.at_end(); walk.next())
    jobs.push_back(walk.item().key.job);
  EXPECT_EQ(jobs, (std::vector<JobId>{JobId(2), JobId(3), JobId(1)}));
}

TEST(PendingQueue, AWalkGoesOnWithoutAShapeThatItDrops) {
  const PendingQueue queue = two_shapes();
  PendingQueue::Walk walk(queue);
  walk.next();
  EXPECT_EQ(walk.item(), item_of(2, 2));
  walk.drop_shape();
  std::vector<std::int64_t> rest;
  for (; !walk.at_end(); walk.next()) rest.push_back(walk.item().key.rank);
  EXPECT_EQ(rest, (std::vector<std::int64_t>{3, 5}));
}

TEST(PendingQueue, AWalkLeavesOutTheLongJobsOfAShapeFromTheNextOn) {
  const PendingQueue queue = two_shapes();
  PendingQueue::Walk walk(queue);
  walk.only_up_to(Duration(50));
  std::vector<std::int64_t> seen;
  for (; !walk.at_end(); walk.next()) seen.push_back(walk.item().key.rank);
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1, 2, 3, 4, 6})) << "5 is long and of the shape of 1";
}

TEST(PendingQueue, IsEmptyWhenTheLastJobLeaves) {
  PendingQueue queue;
  queue.insert(item_of(1, 1), Duration(1));
  queue.erase(item_of(1, 1));
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.size(), 0U);
  EXPECT_TRUE(PendingQueue::Walk(queue).at_end());
}

RC_GTEST_PROP(PendingQueue, DoesWhatASortedSetDoes, (std::uint64_t seed)) {
  Rng rng(seed);
  PendingQueue queue;
  std::set<PendingQueue::Item> model;
  std::map<PendingQueue::Item, Duration> estimates;
  for (int step = 0; step < 400; ++step) {
    if (rng.below(3) == 0 && !model.empty()) {
      auto victim = model.lower_bound(item_of(static_cast<std::int64_t>(rng.below(500)), 0));
      if (victim == model.end()) victim = model.begin();
      queue.erase(*victim);
      model.erase(victim);
    } else {
      const auto rank = static_cast<std::int64_t>(rng.below(500));
      const auto item = item_of(rank, static_cast<std::uint32_t>(rank % 5));
      const Duration estimate(static_cast<std::int64_t>(rng.below(100)));
      if (!model.insert(item).second) continue;
      queue.insert(item, estimate);
      estimates[item] = estimate;
    }
    RC_ASSERT(queue.size() == model.size());
    if (!model.empty()) RC_ASSERT(queue.first() == *model.begin());
  }
  // A walk that now and then narrows or drops the shape it stands at.
  std::set<ShapeId> dropped;
  std::map<ShapeId, Duration> longest;
  PendingQueue::Walk walk(queue);
  for (const PendingQueue::Item& item : model) {
    if (dropped.contains(item.shape)) continue;
    if (longest.contains(item.shape) && estimates[item] > longest[item.shape]) continue;
    RC_ASSERT(!walk.at_end());
    RC_ASSERT(walk.item() == item);
    if (rng.below(40) == 0) {
      dropped.insert(item.shape);
      walk.drop_shape();
      continue;
    }
    if (rng.below(10) == 0) {
      longest[item.shape] = Duration(50);
      walk.only_up_to(Duration(50));
    }
    walk.next();
  }
  RC_ASSERT(walk.at_end());
}

}  // namespace
}  // namespace weir::sched
