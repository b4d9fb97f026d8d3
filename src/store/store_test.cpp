// What every store promises, run against each of them.
#include "store/store.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "store/memory_store.hpp"
#include "store/sqlite_store.hpp"
#include "store/test_jobs.hpp"
#include "support/folder.hpp"

namespace weir::store {
namespace {

using testing::at_second;
using testing::finished_job;
using testing::frame_of;
using testing::turn_of;

// A store, and the same one as after a restart of the process.
struct MemoryWorld {
  MemoryStore memory;
  Store& open() { return memory; }
};

struct SqliteWorld {
  weir::testing::TestFolder folder;
  std::unique_ptr<SqliteStore> sqlite;
  Store& open() {
    sqlite.reset();
    auto opened = SqliteStore::open(folder.path() / "state");
    EXPECT_TRUE(opened) << opened.error().message;
    sqlite = *std::move(opened);
    return *sqlite;
  }
};

template <typename World>
class StoreContract : public ::testing::Test {
 protected:
  Store& begin(std::uint64_t turns) {
    Store& store = world_.open();
    EXPECT_TRUE(store.recover());
    for (std::uint64_t number = 0; number <= turns; ++number) put(store, number);
    return store;
  }
  static void put(Store& store, std::uint64_t number) {
    const Status done = store.commit(turn_of(number));
    EXPECT_TRUE(done) << done.error().message;
  }
  Recovered reopened() {
    auto recovered = world_.open().recover();
    EXPECT_TRUE(recovered) << recovered.error().message;
    return recovered.value_or(Recovered{});
  }
  static std::vector<std::uint64_t> ids(Store& store, const HistoryFilter& filter) {
    const auto jobs = store.history(filter);
    EXPECT_TRUE(jobs);
    std::vector<std::uint64_t> found;
    for (const FinishedJob& job : jobs.value_or(std::vector<FinishedJob>{}))
      found.push_back(job.job.value());
    return found;
  }
  static void expect_frames(const Recovered& recovered, std::uint64_t from, std::uint64_t to) {
    ASSERT_EQ(recovered.frames.size(), to - from + 1);
    for (std::uint64_t number = from; number <= to; ++number)
      EXPECT_EQ(recovered.frames[number - from], (Frame{number, frame_of(number)}));
  }

  World world_;
};

using Worlds = ::testing::Types<MemoryWorld, SqliteWorld>;
TYPED_TEST_SUITE(StoreContract, Worlds);

TYPED_TEST(StoreContract, ANewStoreIsEmpty) {
  const Recovered recovered = this->reopened();
  EXPECT_FALSE(recovered.header);
  EXPECT_FALSE(recovered.snapshot);
  EXPECT_TRUE(recovered.frames.empty());
  EXPECT_TRUE(recovered.damages.empty());
  EXPECT_EQ(recovered.last_turn(), 0U);
}

TYPED_TEST(StoreContract, GivesBackWhatWasCommitted) {
  this->begin(20);
  const Recovered recovered = this->reopened();
  EXPECT_EQ(recovered.header, frame_of(0));
  this->expect_frames(recovered, 1, 20);
  EXPECT_EQ(recovered.last_turn(), 20U);
}

TYPED_TEST(StoreContract, GoesOnAfterARestart) {
  this->begin(3);
  Store& store = this->world_.open();
  ASSERT_TRUE(store.recover());
  this->put(store, 4);
  this->expect_frames(this->reopened(), 1, 4);
}

TYPED_TEST(StoreContract, AnEmptyFrameIsAFrame) {
  Store& store = this->begin(0);
  ASSERT_TRUE(store.commit({1, {}, {}}));
  const Recovered recovered = this->reopened();
  ASSERT_EQ(recovered.frames.size(), 1U);
  EXPECT_TRUE(recovered.frames[0].bytes.empty());
}

TYPED_TEST(StoreContract, RefusesATurnThatIsNotTheNext) {
  Store& store = this->begin(3);
  for (const std::uint64_t number : {0U, 2U, 3U, 5U}) {
    const Status done = store.commit(turn_of(number));
    ASSERT_FALSE(done) << number;
    EXPECT_EQ(done.error().code, Errc::kBadInput);
    EXPECT_NE(done.error().message.find("turn 4 is the next"), std::string::npos);
  }
  this->put(store, 4);
}

TYPED_TEST(StoreContract, ASnapshotShortensTheJournalByOne) {
  Store& store = this->begin(10);
  const auto first = frame_of(1'000, 3'000'000);
  ASSERT_TRUE(store.save_snapshot(4, first));
  Recovered recovered = this->reopened();
  EXPECT_EQ(recovered.snapshot, (Snapshot{4, first}));
  this->expect_frames(recovered, 5, 10);

  // The one before stays, with the turns behind it.
  Store& again = this->world_.open();
  ASSERT_TRUE(again.recover());
  ASSERT_TRUE(again.save_snapshot(10, frame_of(1'001)));
  this->put(again, 11);
  recovered = this->reopened();
  EXPECT_EQ(recovered.snapshot, (Snapshot{10, frame_of(1'001)}));
  this->expect_frames(recovered, 11, 11);
  EXPECT_EQ(recovered.last_turn(), 11U);
  EXPECT_EQ(recovered.header, frame_of(0));
}

TYPED_TEST(StoreContract, ASnapshotIsOfACommittedTurnAndNewer) {
  Store& store = this->begin(5);
  const Status ahead = store.save_snapshot(6, frame_of(1));
  ASSERT_FALSE(ahead);
  EXPECT_NE(ahead.error().message.find("turn 6"), std::string::npos);
  ASSERT_TRUE(store.save_snapshot(5, frame_of(1)));
  EXPECT_FALSE(store.save_snapshot(5, frame_of(1)));
  EXPECT_FALSE(store.save_snapshot(4, frame_of(1)));
}

TYPED_TEST(StoreContract, HistoryGivesBackEveryField) {
  this->begin(9);
  this->reopened();
  Store& store = this->world_.open();
  ASSERT_TRUE(store.recover());
  const auto jobs = store.history({});
  ASSERT_TRUE(jobs);
  ASSERT_EQ(jobs->size(), 9U);
  for (std::uint64_t id = 9; id >= 1; --id) EXPECT_EQ((*jobs)[9 - id], finished_job(id));
}

TYPED_TEST(StoreContract, HistoryIsFiltered) {
  Store& store = this->begin(12);
  using Ids = std::vector<std::uint64_t>;
  EXPECT_EQ(this->ids(store, {.user = "ada"}), (Ids{12, 10, 8, 6, 4, 2}));
  EXPECT_EQ(this->ids(store, {.user = "nobody"}), Ids{});
  EXPECT_EQ(this->ids(store, {.state = "CANCELLED"}), (Ids{12, 9, 6, 3}));
  EXPECT_EQ(this->ids(store, {.name = "train 1"}), (Ids{11, 6, 1}));
  EXPECT_EQ(this->ids(store, {.user = "ada", .state = "CANCELLED"}), (Ids{12, 6}));
  EXPECT_EQ(this->ids(store, {.job = JobId(7)}), Ids{7});
  EXPECT_EQ(this->ids(store, {.user = "ada", .job = JobId(7)}), Ids{});
  EXPECT_EQ(this->ids(store, {.job = JobId(99)}), Ids{});
  EXPECT_EQ(this->ids(store, {.since = at_second(11)}), (Ids{12, 11}));
  EXPECT_EQ(this->ids(store, {.until = at_second(3)}), (Ids{2, 1}));
  EXPECT_EQ(this->ids(store, {.since = at_second(4), .until = at_second(6)}), (Ids{5, 4}));
}

TYPED_TEST(StoreContract, HistoryComesInPages) {
  Store& store = this->begin(0);
  TurnWrite turn{1, frame_of(1), {}};
  // Many ends at the same instant: the job tells them apart.
  for (std::uint64_t id = 1; id <= 2'500; ++id) {
    turn.finished.push_back(finished_job(id));
    turn.finished.back().ended = at_second(static_cast<std::int64_t>(id / 100));
  }
  ASSERT_TRUE(store.commit(turn));
  HistoryFilter filter{.user = "ada", .state = "CANCELLED", .limit = 70};
  std::vector<std::uint64_t> found;
  for (;;) {
    const auto page = store.history(filter);
    ASSERT_TRUE(page);
    if (page->empty()) break;
    for (const FinishedJob& job : *page) found.push_back(job.job.value());
    filter.after = HistoryPlace{page->back().ended, page->back().job};
  }
  std::vector<std::uint64_t> expected;
  for (std::uint64_t id = 2'500; id >= 1; --id)
    if (id % 6 == 0) expected.push_back(id);
  EXPECT_EQ(found, expected);
}

TYPED_TEST(StoreContract, APageHasALimit) {
  Store& store = this->begin(1);
  for (const std::size_t limit : {std::size_t{0}, limits::kHistoryRows + 1}) {
    const auto jobs = store.history({.limit = limit});
    ASSERT_FALSE(jobs);
    EXPECT_EQ(jobs.error().code, Errc::kLimit);
  }
}

TYPED_TEST(StoreContract, AJobThatEndsAgainIsThereOnce) {
  Store& store = this->begin(3);
  FinishedJob again = finished_job(2);
  again.ended = at_second(50);
  again.state = "FAILED";
  ASSERT_TRUE(store.commit({4, frame_of(4), {again}}));
  const auto jobs = store.history({});
  ASSERT_TRUE(jobs);
  ASSERT_EQ(jobs->size(), 3U);
  EXPECT_EQ(jobs->front(), again);
}

TYPED_TEST(StoreContract, PrunesTheOldestFirst) {
  Store& store = this->begin(12);
  EXPECT_EQ(store.prune_history(at_second(8), 3), 3U);
  EXPECT_EQ(this->ids(store, {.until = at_second(7)}), (std::vector<std::uint64_t>{6, 5, 4}));
  EXPECT_EQ(store.prune_history(at_second(8), 1'000'000), 4U);
  EXPECT_EQ(store.prune_history(at_second(8), 1'000'000), 0U);
  EXPECT_EQ(this->ids(store, {}), (std::vector<std::uint64_t>{12, 11, 10, 9, 8}));
}

}  // namespace
}  // namespace weir::store
