// The store over a disk that loses what was not synced: killed at every call that changes a file,
// full, failing, slow. Each commit that returned must be there afterwards, and no half of another.
#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/journal_thread.hpp"
#include "store/sqlite_store.hpp"
#include "store/test_jobs.hpp"
#include "store/test_vfs.hpp"
#include "support/folder.hpp"

namespace weir::store {
namespace {

using testing::at_second;
using testing::finished_job;
using testing::frame_of;
using testing::TestVfs;
using testing::turn_of;

constexpr std::uint64_t kTurns = 14;
constexpr std::uint64_t kPrunedBefore = 3;

// Small and large frames, so that pages overflow.
std::size_t bytes_of(std::uint64_t turn) { return turn % 4 == 3 ? 9'000 : 200; }
std::vector<std::uint8_t> snapshot_of(std::uint64_t turn) { return frame_of(turn + 1'000, 20'000); }

// What the store has said is done.
struct Acknowledged {
  std::int64_t turn = -1;
  std::uint64_t snapshot = 0;
  bool pruned = false;
};

// Everything a controller does to its store; ends at the first error. `tell` gets each
// acknowledged turn.
template <typename Tell>
Acknowledged work(const std::filesystem::path& state, const OpenOptions& options, Tell tell) {
  Acknowledged done;
  auto opened = SqliteStore::open(state, options);
  if (!opened) return done;
  SqliteStore& store = **opened;
  if (!store.recover()) return done;
  for (std::uint64_t number = 0; number <= kTurns; ++number) {
    if (!store.commit(turn_of(number, bytes_of(number)))) return done;
    done.turn = static_cast<std::int64_t>(number);
    tell(number);
    if (number % 4 == 0 && number > 0) {
      if (!store.save_snapshot(number, snapshot_of(number))) return done;
      done.snapshot = number;
    }
    if (number == 6) {
      if (!store.prune_history(at_second(kPrunedBefore), 100)) return done;
      done.pruned = true;
    }
  }
  return done;
}

// What is wrong with what a store holds after a crash; empty: nothing.
std::string check(SqliteStore& store, const Acknowledged& done) {
  const auto recovered = store.recover();
  if (!recovered) return recovered.error().message;
  if (!recovered->damages.empty()) return "damage: " + recovered->damages.front().what;
  const std::int64_t last =
      recovered->header ? static_cast<std::int64_t>(recovered->last_turn()) : -1;
  if (last < done.turn)
    return fmt::format("turn {} was acknowledged, {} is there", done.turn, last);
  if (last > done.turn + 1) return fmt::format("turn {} was never begun", last);
  if (recovered->header && *recovered->header != frame_of(0, bytes_of(0))) return "wrong header";
  const std::uint64_t snapshot = recovered->snapshot ? recovered->snapshot->turn : 0;
  if (snapshot < done.snapshot) return fmt::format("snapshot {} was acknowledged", done.snapshot);
  if (recovered->snapshot && recovered->snapshot->bytes != snapshot_of(snapshot))
    return "wrong snapshot";
  for (const Frame& frame : recovered->frames)
    if (frame.bytes != frame_of(frame.number, bytes_of(frame.number)))
      return fmt::format("turn {} has wrong bytes", frame.number);
  const auto jobs = store.history({});
  if (!jobs) return jobs.error().message;
  std::uint64_t first = jobs->empty() ? 1 : jobs->back().job.value();
  if (first != 1 && first != kPrunedBefore) return "the history begins in the middle";
  if (done.pruned && first == 1) return "pruned jobs are back";
  if (jobs->size() != static_cast<std::uint64_t>(std::max<std::int64_t>(last, 0)) + 1 - first)
    return fmt::format("{} finished jobs at turn {}", jobs->size(), last);
  for (const FinishedJob& job : *jobs)
    if (job != finished_job(job.job.value())) return "a finished job is wrong";
  const auto next = static_cast<std::uint64_t>(last + 1);
  const Status on = store.commit(turn_of(next));
  return on ? "" : on.error().message;
}

std::string check_at(const std::filesystem::path& state, const OpenOptions& options,
                     const Acknowledged& done) {
  auto store = SqliteStore::open(state, options);
  if (!store) return store.error().message;
  return check(**store, done);
}

struct Outcome {
  std::uint64_t crashes = 0;  // places where it crashed
  std::uint64_t losses = 0;
  std::string first_loss;
};

// Crashes once at every `step`th call of the work, and once after it.
Outcome crash_everywhere(TestVfs::Crash crash, bool synced, std::uint64_t step) {
  Outcome outcome;
  for (std::uint64_t call = 1;; call += step) {
    const weir::testing::TestFolder folder(weir::testing::folder_in_memory());
    TestVfs vfs;
    vfs.crash_at(call, crash, call);
    const OpenOptions options{vfs.name(), synced};
    const Acknowledged done = work(folder.path() / "state", options, [](std::uint64_t) {});
    const bool reached = vfs.crashed();
    vfs.crash_now(crash, call);
    vfs.restart();
    ++outcome.crashes;
    const std::string wrong = check_at(folder.path() / "state", {vfs.name(), true}, done);
    if (!wrong.empty() && ++outcome.losses == 1)
      outcome.first_loss = fmt::format("crash at call {}: {}", call, wrong);
    if (!reached) return outcome;
  }
}

TEST(FileFaults, ACrashAtAnyCallLosesNothingAcknowledged) {
  const Outcome outcome = crash_everywhere(TestVfs::Crash::kDrop, /*synced=*/true, 1);
  EXPECT_EQ(outcome.losses, 0U) << outcome.first_loss;
  EXPECT_GT(outcome.crashes, 150U);
}

TEST(FileFaults, ATornWriteAtAnyCallLosesNothingAcknowledged) {
  const Outcome outcome = crash_everywhere(TestVfs::Crash::kTear, /*synced=*/true, 1);
  EXPECT_EQ(outcome.losses, 0U) << outcome.first_loss;
  EXPECT_GT(outcome.crashes, 150U);
}

// That these tests would see a loss.
TEST(FileFaults, WithoutSyncsTheSameCrashesLoseTurns) {
  const Outcome dropped = crash_everywhere(TestVfs::Crash::kDrop, /*synced=*/false, 5);
  EXPECT_GT(dropped.losses, dropped.crashes / 2);
  const Outcome torn = crash_everywhere(TestVfs::Crash::kTear, /*synced=*/false, 5);
  EXPECT_GT(torn.losses, torn.crashes / 2);
}

// What the parent hears before the child is killed.
Acknowledged heard_from_child(const std::filesystem::path& state, std::uint64_t call, bool synced) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    TestVfs vfs;
    vfs.crash_at(call, TestVfs::Crash::kProcess);
    work(state, {vfs.name(), synced}, [&](std::uint64_t number) {
      const auto byte = static_cast<char>(number);
      if (::write(ends[1], &byte, 1) != 1) ::_exit(2);
    });
    vfs.crash_now(TestVfs::Crash::kProcess);
  }
  ::close(ends[1]);
  Acknowledged done;
  for (char byte = 0; ::read(ends[0], &byte, 1) == 1;) done.turn = byte;
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  return done;
}

TEST(FileFaults, AKilledProcessLosesNothingAcknowledged) {
  std::uint64_t losses_unsynced = 0;
  for (std::uint64_t call = 3; call < 300; call += 12) {
    for (const bool synced : {true, false}) {
      const weir::testing::TestFolder folder(weir::testing::folder_in_memory());
      const Acknowledged done = heard_from_child(folder.path() / "state", call, synced);
      const std::string wrong = check_at(folder.path() / "state", {}, done);
      if (synced)
        EXPECT_EQ(wrong, "") << "killed at call " << call;
      else if (!wrong.empty())
        ++losses_unsynced;
    }
  }
  EXPECT_GT(losses_unsynced, 5U);
}

class FaultyDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    open();
    ASSERT_TRUE(store_->commit(turn_of(0)));
  }
  void TearDown() override { store_.reset(); }
  void open() {
    store_.reset();
    auto opened = SqliteStore::open(folder_.path() / "state", {vfs_.name(), true});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    recovered_ = store_->recover().value_or(Recovered{});
  }
  void crash_and_open() {
    vfs_.crash_now(TestVfs::Crash::kDrop);
    store_.reset();
    vfs_.restart();
    open();
  }

  weir::testing::TestFolder folder_{weir::testing::folder_in_memory()};
  TestVfs vfs_;
  std::unique_ptr<SqliteStore> store_;
  Recovered recovered_;
};

TEST_F(FaultyDisk, AFullDiskIsToldApartAndTheTurnFitsLater) {
  vfs_.set_disk_bytes(400'000);
  std::uint64_t next = 1;
  Status done;
  while ((done = store_->commit(turn_of(next, 5'000)))) ++next;
  EXPECT_EQ(done.error().code, Errc::kDiskFull) << done.error().message;
  EXPECT_EQ(store_->commit(turn_of(next, 5'000)).error().code, Errc::kDiskFull);
  EXPECT_EQ(store_->save_snapshot(next - 1, frame_of(1, 2'000'000)).error().code, Errc::kDiskFull);
  EXPECT_EQ(store_->history({})->size(), next - 1);

  vfs_.set_disk_bytes(std::nullopt);
  const Status again = store_->commit(turn_of(next, 5'000));
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_TRUE(store_->save_snapshot(next, frame_of(1, 2'000'000)));
  crash_and_open();
  EXPECT_EQ(recovered_.last_turn(), next);
  EXPECT_EQ(recovered_.snapshot, (Snapshot{next, frame_of(1, 2'000'000)}));
  EXPECT_EQ(store_->history({})->size(), next);
}

TEST_F(FaultyDisk, AFailedSyncEndsWriting) {
  ASSERT_TRUE(store_->commit(turn_of(1)));
  vfs_.fail_sync_at(1);
  const Status failed = store_->commit(turn_of(2));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Errc::kIo);
  for (const std::uint64_t number : {2U, 3U}) {
    const Status later = store_->commit(turn_of(number));
    ASSERT_FALSE(later);
    EXPECT_EQ(later.error().message, failed.error().message);
  }
  EXPECT_FALSE(store_->save_snapshot(1, frame_of(1)));
  EXPECT_FALSE(store_->prune_history(at_second(100), 10));
  crash_and_open();
  EXPECT_GE(recovered_.last_turn(), 1U);
  EXPECT_LE(recovered_.last_turn(), 2U);
  EXPECT_TRUE(store_->commit(turn_of(recovered_.last_turn() + 1)));
}

TEST_F(FaultyDisk, ASlowDiskDelaysAcknowledgementsAlone) {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  vfs_.set_on_sync([&] {
    std::unique_lock guard(mutex);
    changed.wait(guard, [&] { return open; });
  });
  auto journal = JournalThread::start(*store_);
  ASSERT_TRUE(journal);
  std::size_t acknowledged = 0;
  for (std::uint64_t number = 1; number <= 5; ++number)
    ASSERT_TRUE((*journal)->push(turn_of(number), [&](const Status& status) {
      if (status) ++acknowledged;
    }));
  EXPECT_EQ((*journal)->deliver(), 0U);
  {
    const std::lock_guard guard(mutex);
    open = true;
  }
  changed.notify_all();
  while (acknowledged < 5) {
    pollfd ready{(*journal)->ready_fd(), POLLIN, 0};
    ASSERT_EQ(::poll(&ready, 1, 20'000), 1);
    (*journal)->deliver();
  }
  journal->reset();
  vfs_.set_on_sync({});
  crash_and_open();
  EXPECT_EQ(recovered_.last_turn(), 5U);
}

TEST_F(FaultyDisk, AJournalThreadWaitsForRoomOnTheDisk) {
  auto journal = JournalThread::start(*store_);
  ASSERT_TRUE(journal);
  vfs_.set_disk_bytes(300'000);
  std::uint64_t pushed = 0;
  std::uint64_t acknowledged = 0;
  const auto turn_around = [&] {
    pollfd ready{(*journal)->ready_fd(), POLLIN, 0};
    ASSERT_EQ(::poll(&ready, 1, 20'000), 1);
    (*journal)->deliver();
  };
  while (!(*journal)->error()) {
    if (pushed - acknowledged < 4 &&
        (*journal)->push(turn_of(pushed + 1, 5'000), [&](const Status&) { ++acknowledged; }))
      ++pushed;
    else
      turn_around();
  }
  EXPECT_EQ((*journal)->error()->code, Errc::kDiskFull);
  vfs_.set_disk_bytes(std::nullopt);
  (*journal)->retry();
  while (acknowledged < pushed) turn_around();
  journal->reset();
  crash_and_open();
  EXPECT_EQ(recovered_.last_turn(), pushed);
}

class DamagedLog : public FaultyDisk {
 protected:
  static constexpr std::uint64_t kLast = 12;

  void SetUp() override {
    FaultyDisk::SetUp();
    for (std::uint64_t number = 1; number <= kLast; ++number)
      ASSERT_TRUE(store_->commit(turn_of(number)));
    vfs_.crash_now(TestVfs::Crash::kDrop);
    store_.reset();
    vfs_.restart();
    std::ifstream in(log(), std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    ASSERT_GT(bytes_.size(), 10'000U);
    std::filesystem::copy(folder_.path() / "state", folder_.path() / "good");
  }
  [[nodiscard]] std::filesystem::path log() const { return folder_.path() / "state/weir.db-wal"; }
  // Opens the store as it was, but with this log.
  void open_with(const std::string& bytes) {
    store_.reset();
    vfs_.restart();
    std::filesystem::remove_all(folder_.path() / "state");
    std::filesystem::copy(folder_.path() / "good", folder_.path() / "state");
    ASSERT_EQ(::chmod((folder_.path() / "state").c_str(), 0700), 0);
    std::ofstream(log(), std::ios::binary | std::ios::trunc) << bytes;
    open();
  }

  std::string bytes_;
};

TEST_F(DamagedLog, ATornOneEndsAtAWholeTurn) {
  std::uint64_t before = 0;
  for (std::size_t size = 0; size <= bytes_.size(); size += 1'009) {
    open_with(bytes_.substr(0, size));
    EXPECT_TRUE(recovered_.damages.empty());
    const std::uint64_t last = recovered_.last_turn();
    EXPECT_GE(last, before);
    before = last;
    for (const Frame& frame : recovered_.frames) EXPECT_EQ(frame.bytes, frame_of(frame.number));
    EXPECT_EQ(store_->history({})->size(), last);
  }
  EXPECT_GE(before, kLast - 1);
}

TEST_F(DamagedLog, AFlippedBitIsNamedUnlessItIsInTheLastTurn) {
  std::uint64_t named = 0;
  for (std::size_t at = 0; at < bytes_.size(); at += 997) {
    std::string flipped = bytes_;
    flipped[at] = static_cast<char>(flipped[at] ^ 16);
    open_with(flipped);
    const std::uint64_t last = recovered_.last_turn();
    for (const Frame& frame : recovered_.frames) EXPECT_EQ(frame.bytes, frame_of(frame.number));
    if (last < kLast - 1) {
      ASSERT_EQ(recovered_.damages.size(), 1U) << at;
      const Damage& damage = recovered_.damages.front();
      EXPECT_NE(damage.what.find("write-ahead log"), std::string::npos);
      EXPECT_TRUE(std::filesystem::exists(damage.kept_in));
      EXPECT_TRUE(std::filesystem::exists(damage.kept_in.string() + "-wal"));
      ++named;
    }
    const std::uint64_t next = recovered_.header ? last + 1 : 0;
    EXPECT_TRUE(store_->commit(turn_of(next))) << at;
  }
  EXPECT_GT(named, 10U);
}

}  // namespace
}  // namespace weir::store
