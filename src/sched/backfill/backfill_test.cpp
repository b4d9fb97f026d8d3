// EASY backfill, seen through the planner: the first in line is promised a start and gets it; who
// passes it does not delay it.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "sched/test_planning.hpp"

namespace weir::sched {
namespace {

using testing::at_second;
using testing::Desk;
using testing::easy;
using testing::even_site;
using testing::gang_job;
using testing::Jobs;
using testing::seconds_long;
using testing::units_of;

// Four nodes; job 1 holds three of them until 100; job 2 wants all four.
class FirstInLine : public ::testing::Test {
 protected:
  FirstInLine() : desk_(units_of({4}), easy()) {
    desk_.submit(gang_job(3, 8, seconds_long(100)));
    first_ = desk_.submit(gang_job(4, 8, seconds_long(50)));
    EXPECT_EQ(desk_.plan(0), (Jobs{1}));
  }
  Desk desk_;
  JobId first_;
};

TEST_F(FirstInLine, IsPromisedTheEndOfWhatItWaitsFor) {
  EXPECT_EQ(desk_.promise(first_), at_second(100));
  EXPECT_EQ(desk_.plan(1), (Jobs{}));
  EXPECT_TRUE(desk_.decisions.empty()) << "a promise that stays is not written again";
}

TEST_F(FirstInLine, LetsShortJobsPassAndLongOnesNot) {
  desk_.submit(gang_job(1, 8, seconds_long(91)), 10);
  desk_.submit(gang_job(1, 8, seconds_long(90)), 10);
  EXPECT_EQ(desk_.plan(10), (Jobs{4})) << "over exactly when the promise falls due";
  EXPECT_EQ(desk_.promise(first_), at_second(100));
  EXPECT_EQ(desk_.end(JobId(1), 100), (Jobs{})) << "job 4 ends at the same instant, but later";
  EXPECT_EQ(desk_.end(JobId(4), 100), (Jobs{2}));
}

TEST_F(FirstInLine, StartsEarlierWhenOthersEndEarlier) {
  EXPECT_EQ(desk_.end(JobId(1), 40), (Jobs{2}));
}

TEST_F(FirstInLine, GetsANewPromiseWhenTheOldOneCannotBeKept) {
  EXPECT_EQ(desk_.plan(150), (Jobs{}));
  EXPECT_EQ(desk_.promise(first_), at_second(150) + Duration(1)) << "job 1 is overdue";
}

TEST_F(FirstInLine, IsPromisedNothingWhenItsNodesAreDrained) {
  desk_.tell(NodeAvailabilityChanged{NodeId(0), Availability::kDrained});
  desk_.submit(gang_job(1, 1, seconds_long(100'000)), 5);
  const Jobs started = desk_.plan(5);
  EXPECT_EQ(desk_.promise(first_), Instant::far_future());
  EXPECT_EQ(started, (Jobs{3})) << "there is nothing that others could delay";
}

TEST(Backfill, LongJobsStartBesideWhatIsReserved) {
  Desk desk(units_of({3}), easy());
  desk.submit(gang_job(1, 8, seconds_long(100)));
  const JobId first = desk.submit(gang_job(3, 6, seconds_long(50)));
  desk.submit(gang_job(1, 2, seconds_long(10'000)));
  desk.submit(gang_job(1, 3, seconds_long(10'000)));
  desk.submit(gang_job(1, 2, seconds_long(10'000)));
  desk.submit(gang_job(1, 2, seconds_long(10'000)));
  EXPECT_EQ(desk.plan(0), (Jobs{1, 3, 5})) << "2 GPUs of each free node are left over, not 3";
  EXPECT_EQ(desk.promise(first), at_second(100));
  EXPECT_EQ(desk.end(JobId(1), 100), (Jobs{2, 6}))
      << "the promise is kept beside the long jobs, and the third node has 2 to spare";
}

TEST(Backfill, AJobWithDomainsOfItsOwnPassesOnlyIfItIsOverInTime) {
  Desk desk(units_of({2, 2}), easy());
  desk.submit(gang_job(1, 8, seconds_long(100)));
  desk.submit(gang_job(4, 8, seconds_long(50)));
  Job alone = gang_job(1, 8, seconds_long(101));
  alone.wish.exclusive = Level::kUnit;
  desk.submit(alone);
  EXPECT_EQ(desk.plan(0), (Jobs{1}));
  alone.estimate = seconds_long(99);
  desk.submit(alone);
  EXPECT_EQ(desk.plan(1), (Jobs{4}));
}

TEST(Backfill, AFirstInLineThatWantsADomainForItselfGetsItIdle) {
  Desk desk(units_of({2, 2}), easy());
  desk.submit(gang_job(1, 8, seconds_long(100)));
  desk.submit(gang_job(3, 1, seconds_long(500)));
  desk.plan(0);
  Job alone = gang_job(2, 8, seconds_long(50));
  alone.wish.exclusive = Level::kUnit;
  const JobId first = desk.submit(alone, 1);
  desk.submit(gang_job(1, 1, seconds_long(9'000)), 1);
  desk.plan(1);
  EXPECT_EQ(desk.promise(first), at_second(500));
  desk.tell(JobEnded{JobId(1)}, 100);
  desk.plan(100);
  desk.tell(JobEnded{JobId(2)}, 500);
  const Jobs started = desk.plan(500);
  EXPECT_NE(std::ranges::find(started, first.value()), started.end());
}

TEST(Backfill, WhatFailedForAShapeIsNotTriedForItsLikes) {
  // Behaviour alone: all equal long jobs wait, a shorter one among them passes.
  Desk desk(units_of({2}), easy());
  desk.submit(gang_job(1, 8, seconds_long(100)));
  desk.submit(gang_job(2, 8, seconds_long(50)));
  for (int i = 0; i < 300; ++i) desk.submit(gang_job(1, 4, seconds_long(1'000 + i)));
  const JobId shorter = desk.submit(gang_job(1, 4, seconds_long(99)));
  EXPECT_EQ(desk.plan(0), (Jobs{1, shorter.value()}));
}

// A site on which jobs end exactly when they said they would.
class PunctualSite {
 public:
  explicit PunctualSite(std::uint64_t seed) : rng_(seed), desk_(even_site(1, 2, 2, 2), easy()) {}

  void second(std::int64_t now, bool open) {
    for (; !ends_.empty() && ends_.begin()->first <= now; ends_.erase(ends_.begin()))
      desk_.tell(JobEnded{JobId(ends_.begin()->second)}, now);
    if (open && rng_.below(2) == 0) desk_.submit(any_job(), now);
    for (const std::uint64_t job : desk_.plan(now)) {
      const Lease& lease = desk_.state.find(JobId(job))->lease;
      ends_.emplace(lease.until.microseconds() / 1'000'000, job);
      if (const auto promise = promised_.find(job); promise != promised_.end()) {
        EXPECT_LE(lease.start, promise->second) << "job " << job;
        ++kept;
      }
    }
    for (const Decision& decision : desk_.decisions)
      if (const auto* promise = std::get_if<StartPromised>(&decision)) note(*promise);
  }

  int kept = 0;

 private:
  Job any_job() {
    Job job = gang_job(1 + static_cast<std::uint32_t>(rng_.below(6)),
                       1 + static_cast<std::uint32_t>(rng_.below(8)),
                       seconds_long(1 + static_cast<std::int64_t>(rng_.below(60))));
    if (rng_.below(6) == 0) job.wish.exclusive = Level::kUnit;
    return job;
  }
  void note(const StartPromised& promise) {
    const auto [first, is_new] = promised_.try_emplace(promise.job.value(), promise.by);
    EXPECT_LE(promise.by, first->second) << "job " << promise.job.value();
    first->second = promise.by;
  }

  Rng rng_;
  Desk desk_;
  std::map<std::uint64_t, Instant> promised_;
  std::multimap<std::int64_t, std::uint64_t> ends_;
};

TEST(Backfill, EveryPromiseIsKeptWhenEstimatesAreRight) {
  int kept = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    PunctualSite site(seed);
    for (std::int64_t now = 0; now < 300; ++now) site.second(now, now < 150);
    kept += site.kept;
  }
  EXPECT_GT(kept, 20) << "too few jobs had to wait for a promise";
}

}  // namespace
}  // namespace weir::sched
