#include "sched/queue/lane.hpp"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/rng.hpp"

namespace weir::sched {
namespace {

OrderKey key_of(std::int64_t rank) { return {rank, Instant(0), JobId(1)}; }

// The entries no longer than `longest` that a lane visits after its first.
std::vector<std::int64_t> ranks_after_first(const Lane& lane, Duration longest) {
  std::vector<std::int64_t> ranks;
  for (auto at = lane.after({}, longest); !lane.at_end(at); at = lane.after(at, longest))
    ranks.push_back(lane.at(at).key.rank);
  return ranks;
}

TEST(Lane, KeepsItsEntriesInOrderOfTheirKeys) {
  Lane lane;
  EXPECT_TRUE(lane.empty());
  for (const std::int64_t rank : {5, 1, 3, 2, 4}) lane.insert({key_of(rank), Duration(rank)});
  EXPECT_EQ(lane.first().key.rank, 1);
  EXPECT_EQ(ranks_after_first(lane, Duration::max()), (std::vector<std::int64_t>{2, 3, 4, 5}));
}

TEST(Lane, FindsTheNextEntryThatIsShortEnough) {
  Lane lane;
  for (const std::int64_t rank : {1, 2, 3, 4, 5, 6})
    lane.insert({key_of(rank), Duration(rank % 2 == 0 ? 10 : 100)});
  EXPECT_EQ(ranks_after_first(lane, Duration(10)), (std::vector<std::int64_t>{2, 4, 6}));
  EXPECT_TRUE(ranks_after_first(lane, Duration(9)).empty());
}

TEST(Lane, EndsEmptyWhenAllAreErased) {
  Lane lane;
  for (std::int64_t rank = 0; rank < 1000; ++rank) lane.insert({key_of(rank), Duration(1)});
  for (std::int64_t rank = 999; rank >= 0; --rank) lane.erase(key_of(rank));
  EXPECT_TRUE(lane.empty());
}

TEST(LaneDeathTest, HoldsAKeyOnceAndErasesOnlyWhatIsThere) {
  Lane lane;
  lane.insert({key_of(1), Duration(1)});
  EXPECT_DEATH(lane.insert({key_of(1), Duration(2)}), "key");
  EXPECT_DEATH(lane.erase(key_of(2)), "key");
}

// Against a sorted map, with so many entries that blocks are cut and vanish.
RC_GTEST_PROP(Lane, DoesWhatASortedMapDoes, (std::uint64_t seed)) {
  Rng rng(seed);
  Lane lane;
  std::map<OrderKey, Duration> model;
  const std::uint64_t erase_share = 20 + rng.below(40);
  for (int step = 0; step < 1500; ++step) {
    if (rng.below(100) < erase_share && !model.empty()) {
      auto victim = model.lower_bound(key_of(static_cast<std::int64_t>(rng.below(2000))));
      if (victim == model.end()) victim = model.begin();
      lane.erase(victim->first);
      model.erase(victim);
    } else {
      const OrderKey key = key_of(static_cast<std::int64_t>(rng.below(2000)));
      const Duration estimate(static_cast<std::int64_t>(rng.below(1000)));
      if (model.try_emplace(key, estimate).second) lane.insert({key, estimate});
    }
    RC_ASSERT(lane.empty() == model.empty());
    if (!model.empty()) RC_ASSERT(lane.first().key == model.begin()->first);
  }
  if (model.empty()) return;
  for (const std::int64_t longest : {1000, 500, 20, 0}) {
    std::vector<std::int64_t> expected;
    for (auto entry = std::next(model.begin()); entry != model.end(); ++entry)
      if (entry->second <= Duration(longest)) expected.push_back(entry->first.rank);
    RC_ASSERT(ranks_after_first(lane, Duration(longest)) == expected);
  }
}

}  // namespace
}  // namespace weir::sched
