#include "store/backup.hpp"

#include <atomic>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "store/sqlite_store.hpp"
#include "store/test_jobs.hpp"
#include "support/folder.hpp"

namespace weir::store {
namespace {

using testing::frame_of;
using testing::turn_of;

class BackupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = SqliteStore::open(folder_.path() / "state");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    ASSERT_TRUE(store_->recover());
    ASSERT_TRUE(store_->commit(turn_of(0)));
  }
  [[nodiscard]] std::filesystem::path backup() const { return folder_.path() / "backup.db"; }
  [[nodiscard]] std::filesystem::path other() const { return folder_.path() / "other"; }
  void write(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t number = from; number <= to; ++number)
      ASSERT_TRUE(store_->commit(turn_of(number)));
  }
  // What the restored directory holds.
  Recovered restored() {
    const Status done = restore(backup(), other());
    EXPECT_TRUE(done) << done.error().message;
    auto copy = SqliteStore::open(other());
    EXPECT_TRUE(copy) << copy.error().message;
    if (!copy) return {};
    return (*copy)->recover().value_or(Recovered{});
  }

  weir::testing::TestFolder folder_;
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(BackupTest, HoldsWhatWasCommitted) {
  write(1, 50);
  ASSERT_TRUE(store_->save_snapshot(40, frame_of(1'000, 2'000'000)));
  ASSERT_TRUE(store_->backup(backup()));
  write(51, 60);
  struct stat status{};
  ASSERT_EQ(::stat(backup().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
  EXPECT_FALSE(std::filesystem::exists(backup().string() + ".part"));

  const Recovered recovered = restored();
  EXPECT_TRUE(recovered.damages.empty());
  EXPECT_EQ(recovered.snapshot, (Snapshot{40, frame_of(1'000, 2'000'000)}));
  EXPECT_EQ(recovered.last_turn(), 50U);
  auto copy = SqliteStore::open(other());
  ASSERT_TRUE(copy);
  EXPECT_EQ((*copy)->history({})->size(), 50U);
}

TEST_F(BackupTest, IsWholeWhileCommitsGoOn) {
  write(1, 400);
  std::atomic<bool> stop = false;
  std::uint64_t last = 400;
  std::thread writer([&] {
    while (!stop && last < 20'000)
      if (store_->commit(turn_of(last + 1))) ++last;
  });
  Status done;
  for (int i = 0; i < 3 && done; ++i) {
    std::filesystem::remove(backup());
    done = store_->backup(backup());
  }
  stop = true;
  writer.join();
  ASSERT_TRUE(done) << done.error().message;
  const Recovered recovered = restored();
  EXPECT_TRUE(recovered.damages.empty());
  EXPECT_GE(recovered.last_turn(), 400U);
  EXPECT_LE(recovered.last_turn(), last);
  for (const Frame& frame : recovered.frames) EXPECT_EQ(frame.bytes, frame_of(frame.number));
}

TEST_F(BackupTest, NeverReplacesAFile) {
  ASSERT_EQ(folder_.write("backup.db", "precious"), backup());
  const Status done = store_->backup(backup());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::kBadInput);
  EXPECT_EQ(std::filesystem::file_size(backup()), 8U);
}

TEST_F(BackupTest, AFailedOneLeavesNothing) {
  const Status done = store_->backup(folder_.path() / "missing" / "backup.db");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("missing/backup.db"), std::string::npos);
  write(1, 1);
}

TEST_F(BackupTest, RestoreRefusesADirectoryThatHoldsSomething) {
  ASSERT_TRUE(store_->backup(backup()));
  const Status done = restore(backup(), folder_.path() / "state");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("not empty"), std::string::npos);
}

TEST_F(BackupTest, RestoreRefusesWhatIsNoBackup) {
  const std::string words = "these are words, and many of them. ";
  std::string text;
  for (int i = 0; i < 200; ++i) text += words;
  for (const std::string& bytes : {std::string(), text}) {
    const auto file = folder_.write("words", bytes);
    EXPECT_FALSE(restore(file, other()));
    EXPECT_FALSE(std::filesystem::exists(other() / "weir.db"));
  }
  EXPECT_FALSE(restore(folder_.path() / "missing", other()));
}

TEST_F(BackupTest, RestoreRefusesADamagedBackup) {
  write(1, 30);
  ASSERT_TRUE(store_->backup(backup()));
  std::string bytes;
  {
    std::ifstream in(backup(), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto frame = frame_of(17);
  const std::size_t at = bytes.find(std::string(frame.begin(), frame.end()));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 9] = static_cast<char>(bytes[at + 9] ^ 1);
  ASSERT_EQ(folder_.write("backup.db", bytes), backup());
  const Status done = restore(backup(), other());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::kCorrupt);
  EXPECT_NE(done.error().message.find("turn 17"), std::string::npos) << done.error().message;

  // The same directory takes a good one.
  std::filesystem::remove(backup());
  ASSERT_TRUE(store_->backup(backup()));
  EXPECT_EQ(restored().last_turn(), 30U);
}

}  // namespace
}  // namespace weir::store
