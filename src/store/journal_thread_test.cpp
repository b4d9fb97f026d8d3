#include "store/journal_thread.hpp"

#include <condition_variable>
#include <mutex>
#include <string>

#include <gtest/gtest.h>
#include <poll.h>

#include "store/memory_store.hpp"
#include "store/test_jobs.hpp"

namespace weir::store {
namespace {

using testing::frame_of;
using testing::turn_of;

constexpr int kDeadlineMs = 20'000;

bool becomes_ready(const JournalThread& journal) {
  pollfd wanted{journal.ready_fd(), POLLIN, 0};
  return ::poll(&wanted, 1, kDeadlineMs) == 1;
}

// A store whose commits wait for the test.
class GatedStore final : public Store {
 public:
  Result<Recovered> recover() override { return inner_.recover(); }
  Status commit(const TurnWrite& turn) override {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [&] { return open_; });
    ++commits_;
    return inner_.commit(turn);
  }
  Status tidy() override { return {}; }
  Status save_snapshot(std::uint64_t turn, ByteSpan bytes) override {
    return inner_.save_snapshot(turn, bytes);
  }
  Result<std::vector<FinishedJob>> history(const HistoryFilter& filter) override {
    return inner_.history(filter);
  }
  Result<std::uint64_t> prune_history(Instant older_than, std::size_t most) override {
    return inner_.prune_history(older_than, most);
  }
  Status backup(const std::filesystem::path& path) override { return inner_.backup(path); }

  void open() {
    {
      const std::lock_guard guard(mutex_);
      open_ = true;
    }
    changed_.notify_all();
  }
  int commits() {
    const std::lock_guard guard(mutex_);
    return commits_;
  }
  MemoryStore& inner() { return inner_; }

 private:
  MemoryStore inner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int commits_ = 0;
};

struct Outcome {
  std::uint64_t number;
  bool good;
};

class JournalThreadTest : public ::testing::Test {
 protected:
  void start(Store& store, JournalQueueLimits limits = {}) {
    auto started = JournalThread::start(store, limits);
    ASSERT_TRUE(started) << started.error().message;
    journal_ = *std::move(started);
  }
  Status push(std::uint64_t number) {
    return journal_->push(turn_of(number), [this, number](const Status& status) {
      outcomes_.push_back({number, status.has_value()});
    });
  }
  // Delivers until `count` turns have an outcome.
  void deliver(std::size_t count) {
    while (outcomes_.size() < count) {
      ASSERT_TRUE(becomes_ready(*journal_));
      journal_->deliver();
    }
  }

  // A store that outlives the thread, which ends with the test.
  template <typename Kind>
  Kind& own() {
    auto made = std::make_unique<Kind>();
    Kind& store = *made;
    store_ = std::move(made);
    return store;
  }

  std::unique_ptr<Store> store_;
  std::unique_ptr<JournalThread> journal_;
  std::vector<Outcome> outcomes_;
};

TEST_F(JournalThreadTest, CommitsInOrderAndTellsTheCaller) {
  auto& store = own<MemoryStore>();
  start(store);
  for (std::uint64_t number = 0; number < 500; ++number) ASSERT_TRUE(push(number));
  deliver(500);
  for (std::uint64_t number = 0; number < 500; ++number) {
    EXPECT_EQ(outcomes_[number].number, number);
    EXPECT_TRUE(outcomes_[number].good);
  }
  const auto recovered = store.recover();
  ASSERT_TRUE(recovered);
  ASSERT_EQ(recovered->frames.size(), 499U);
  EXPECT_EQ(recovered->frames.back(), (Frame{499, frame_of(499)}));
}

TEST_F(JournalThreadTest, NothingIsToldBeforeItIsDurable) {
  auto& store = own<GatedStore>();
  start(store);
  ASSERT_TRUE(push(0));
  EXPECT_EQ(journal_->deliver(), 0U);
  EXPECT_TRUE(outcomes_.empty());
  store.open();
  deliver(1);
}

TEST_F(JournalThreadTest, TheQueueIsBounded) {
  auto& store = own<GatedStore>();
  start(store, {.turns = 3, .bytes = 1'000'000});
  for (std::uint64_t number = 0; number < 3; ++number) ASSERT_TRUE(push(number));
  EXPECT_FALSE(journal_->has_room());
  const Status refused = push(3);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kLimit);
  EXPECT_NE(refused.error().message.find("3 turns"), std::string::npos);
  store.open();
  deliver(3);
  EXPECT_TRUE(journal_->has_room());
  ASSERT_TRUE(push(3));
  deliver(4);
}

TEST_F(JournalThreadTest, TheQueueIsBoundedInBytesButTakesAnySingleTurn) {
  auto& store = own<GatedStore>();
  start(store, {.turns = 100, .bytes = 10});
  ASSERT_TRUE(push(0));
  EXPECT_FALSE(push(1));
  store.open();
  deliver(1);
  ASSERT_TRUE(push(1));
  deliver(2);
}

TEST_F(JournalThreadTest, DestructionCommitsWhatWaits) {
  auto& store = own<MemoryStore>();
  start(store);
  for (std::uint64_t number = 0; number < 50; ++number) ASSERT_TRUE(push(number));
  journal_.reset();
  EXPECT_TRUE(outcomes_.empty());
  EXPECT_EQ(store.recover()->last_turn(), 49U);
}

TEST_F(JournalThreadTest, AFullDiskKeepsTheTurnsForARetry) {
  auto& store = own<GatedStore>();
  start(store);
  store.inner().fail_with(Error{Errc::kDiskFull, "no room"});
  ASSERT_TRUE(push(0));
  ASSERT_TRUE(push(1));
  store.open();
  ASSERT_TRUE(becomes_ready(*journal_));
  EXPECT_EQ(journal_->deliver(), 0U);
  const auto error = journal_->error();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, Errc::kDiskFull);
  const Status refused = push(2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "no room");
  EXPECT_FALSE(journal_->has_room());
  EXPECT_EQ(store.commits(), 1);

  store.inner().fail_with(std::nullopt);
  journal_->retry();
  deliver(2);
  EXPECT_TRUE(outcomes_[0].good);
  EXPECT_TRUE(outcomes_[1].good);
  EXPECT_FALSE(journal_->error());
  ASSERT_TRUE(push(2));
  deliver(3);
}

TEST_F(JournalThreadTest, ABrokenDiskEndsWriting) {
  auto& store = own<GatedStore>();
  start(store);
  store.inner().fail_with(Error{Errc::kIo, "the disk is broken"});
  for (std::uint64_t number = 0; number < 3; ++number) ASSERT_TRUE(push(number));
  store.open();
  deliver(3);
  for (const Outcome& outcome : outcomes_) EXPECT_FALSE(outcome.good);
  EXPECT_EQ(store.commits(), 1);
  store.inner().fail_with(std::nullopt);
  const Status refused = push(3);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the disk is broken");
}

}  // namespace
}  // namespace weir::store
