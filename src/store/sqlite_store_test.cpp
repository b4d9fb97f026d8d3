// What the store in a directory promises beyond the port: its lock, its format, and that damage is
// found, named and kept. (Lost power is file_faults_test's.)
#include "store/sqlite_store.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/schema.hpp"
#include "store/test_jobs.hpp"
#include "support/folder.hpp"

namespace weir::store {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;
using testing::finished_job;
using testing::frame_of;
using testing::turn_of;

class SqliteStoreTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path state() const { return folder_.path() / "state"; }
  [[nodiscard]] std::filesystem::path file() const { return state() / "weir.db"; }

  Status try_open() {
    store_.reset();
    store_ = WEIR_TRY(SqliteStore::open(state()));
    return {};
  }
  void open() {
    const Status opened = try_open();
    ASSERT_TRUE(opened) << opened.error().message;
  }
  Recovered recover() {
    open();
    auto recovered = store_->recover();
    EXPECT_TRUE(recovered) << recovered.error().message;
    return recovered.value_or(Recovered{});
  }
  void write(std::uint64_t from, std::uint64_t to, std::size_t bytes = 300) {
    for (std::uint64_t number = from; number <= to; ++number)
      ASSERT_TRUE(store_->commit(turn_of(number, bytes)));
  }
  void make(std::uint64_t turns) {
    recover();
    write(0, turns);
    store_.reset();
  }
  // Changes the closed file behind the store's back.
  void tamper(const std::string& sql) const {
    auto database = Database::open(file(), false);
    ASSERT_TRUE(database);
    const Status done = database->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }
  // Flips a bit in the middle of the one place where `bytes` stand in the file.
  [[nodiscard]] AssertionResult flip(const std::vector<std::uint8_t>& bytes) const {
    std::vector<char> all = read(file());
    const auto at = std::ranges::search(
        all, bytes, [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
    if (at.empty()) return AssertionFailure() << "these bytes are not in the file";
    at[static_cast<std::ptrdiff_t>(bytes.size() / 2)] ^= 4;
    write_bytes(all);
    return AssertionSuccess();
  }
  static std::vector<char> read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write_bytes(const std::vector<char>& all) const {
    std::ofstream(file(), std::ios::binary | std::ios::trunc)
        .write(all.data(), static_cast<std::streamsize>(all.size()));
  }

  weir::testing::TestFolder folder_;
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(SqliteStoreTest, KeepsEverythingToItsOwner) {
  open();
  struct stat status{};
  ASSERT_EQ(::stat(state().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
  for (const char* const name : {"weir.db", "weir.db-wal", "lock"}) {
    ASSERT_EQ(::stat((state() / name).c_str(), &status), 0) << name;
    EXPECT_EQ(status.st_mode & 0077, 0U) << name;
  }
}

TEST_F(SqliteStoreTest, RefusesADirectoryThatOthersMayEnter) {
  ASSERT_EQ(::mkdir(state().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(state().c_str(), 0755), 0);
  const Status opened = try_open();
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("chmod 700"), std::string::npos);
}

TEST_F(SqliteStoreTest, RefusesASecondControllerAndNamesTheFirst) {
  open();
  const auto second = SqliteStore::open(state());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Errc::kBadInput);
  EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid())), std::string::npos)
      << second.error().message;
  store_.reset();
  EXPECT_TRUE(try_open());
}

TEST_F(SqliteStoreTest, RefusesANewerFormatByName) {
  make(2);
  tamper("PRAGMA user_version = 99");
  const Status opened = try_open();
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("format 99"), std::string::npos);
  tamper("PRAGMA user_version = 2");
  EXPECT_EQ(recover().last_turn(), 2U);
}

TEST_F(SqliteStoreTest, LeavesTheDatabaseOfAnotherProgramAlone) {
  ASSERT_EQ(::mkdir(state().c_str(), 0700), 0);
  {
    auto database = Database::open(file(), true);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->execute("CREATE TABLE theirs (a)"));
  }
  const auto before = read(file());
  const Status opened = try_open();
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("another program"), std::string::npos);
  EXPECT_EQ(read(file()), before);
}

// A store as format 1 wrote it, word for word: it must not follow a change of schema.cpp.
constexpr const char* kFormat1 = R"(
CREATE TABLE frame (number INTEGER PRIMARY KEY, seal INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE TABLE snapshot (turn INTEGER PRIMARY KEY, parts INTEGER NOT NULL, size INTEGER NOT NULL,
  seal INTEGER NOT NULL) STRICT;
CREATE TABLE snapshot_part (turn INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (turn, part)) STRICT;
CREATE TABLE finished (job INTEGER PRIMARY KEY, turn INTEGER NOT NULL, attempts INTEGER NOT NULL,
  name TEXT NOT NULL, user TEXT NOT NULL, queue TEXT NOT NULL, state TEXT NOT NULL,
  reason TEXT NOT NULL, submitted INTEGER NOT NULL, started INTEGER, ended INTEGER NOT NULL,
  nodes INTEGER NOT NULL, gpus INTEGER NOT NULL, exit_code INTEGER NOT NULL,
  signal INTEGER NOT NULL, node_list TEXT NOT NULL, record TEXT NOT NULL) STRICT;
CREATE INDEX finished_by_end ON finished (ended, job);
INSERT INTO frame VALUES (0, -9148815866865420346, x'68656164');
INSERT INTO frame VALUES (1, -5579586100360795856, x'7475726e');
INSERT INTO finished VALUES (7, 1, 1, 'n', 'ada', 'gpu', 'FAILED', 'r', 5, NULL, 9, 1, 8, 3, 0,
  'gpu0001', '{}');
PRAGMA application_id = 0x57454952; PRAGMA user_version = 1;
)";

TEST_F(SqliteStoreTest, BringsFormat1Forward) {
  ASSERT_EQ(::mkdir(state().c_str(), 0700), 0);
  {
    auto database = Database::open(file(), true);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->execute(kFormat1));
  }
  const Recovered recovered = recover();
  EXPECT_TRUE(recovered.damages.empty()) << recovered.damages.front().what;
  EXPECT_EQ(recovered.header, (std::vector<std::uint8_t>{'h', 'e', 'a', 'd'}));
  ASSERT_EQ(recovered.frames.size(), 1U);
  EXPECT_EQ(recovered.frames[0].bytes, (std::vector<std::uint8_t>{'t', 'u', 'r', 'n'}));
  const auto jobs = store_->history({.user = "ada"});
  ASSERT_TRUE(jobs);
  ASSERT_EQ(jobs->size(), 1U);
  EXPECT_EQ(jobs->front().state, "FAILED");
  store_.reset();
  auto database = Database::open(file(), false);
  ASSERT_TRUE(database);
  EXPECT_EQ(database->number("PRAGMA user_version"), kSchemaVersion);
}

TEST_F(SqliteStoreTest, AFlippedBitIsNamedAndTheJournalEndsBeforeIt) {
  make(20);
  ASSERT_TRUE(flip(frame_of(13)));
  const Recovered recovered = recover();
  ASSERT_EQ(recovered.damages.size(), 1U);
  const Damage& damage = recovered.damages.front();
  EXPECT_EQ(damage.first_lost, 13U);
  EXPECT_EQ(damage.lost, 8U);
  EXPECT_NE(damage.what.find("turn 13"), std::string::npos) << damage.what;
  EXPECT_NE(damage.what.find("recovered to turn 12"), std::string::npos) << damage.what;
  ASSERT_EQ(recovered.last_turn(), 12U);
  EXPECT_EQ(recovered.frames.back(), (Frame{12, frame_of(12)}));
  EXPECT_EQ(damage.kept_in, state() / "damaged-13.db");

  // The history ends with the journal, and the store goes on.
  EXPECT_EQ(store_->history({})->size(), 12U);
  ASSERT_TRUE(store_->commit(turn_of(13)));
  const Recovered again = recover();
  EXPECT_TRUE(again.damages.empty());
  EXPECT_EQ(again.last_turn(), 13U);

  auto kept = Database::open(damage.kept_in, false);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->number("SELECT count(*) FROM frame WHERE number >= 13"), 8);
  EXPECT_EQ(kept->number("SELECT count(*) FROM finished"), 20);
}

TEST_F(SqliteStoreTest, KeepsEachDamageUnderANameOfItsOwn) {
  for (const char* const name : {"damaged-3.db", "damaged-3-2.db"}) {
    recover();
    if (!std::filesystem::exists(state() / "damaged-3.db")) write(0, 3);
    store_.reset();
    ASSERT_TRUE(flip(frame_of(3)));
    const Recovered recovered = recover();
    ASSERT_EQ(recovered.damages.size(), 1U);
    EXPECT_EQ(recovered.damages[0].kept_in, state() / name);
    write(3, 3);
  }
}

TEST_F(SqliteStoreTest, AMissingTurnIsDamage) {
  make(9);
  tamper("DELETE FROM frame WHERE number = 5");
  const Recovered recovered = recover();
  ASSERT_EQ(recovered.damages.size(), 1U);
  EXPECT_EQ(recovered.damages[0].first_lost, 5U);
  EXPECT_EQ(recovered.damages[0].lost, 5U);
  EXPECT_EQ(recovered.last_turn(), 4U);
}

TEST_F(SqliteStoreTest, FramesThatChangedPlacesAreDamage) {
  make(9);
  tamper(
      "UPDATE frame SET number = 100 WHERE number = 5; "
      "UPDATE frame SET number = 5 WHERE number = 6; "
      "UPDATE frame SET number = 6 WHERE number = 100");
  const Recovered recovered = recover();
  ASSERT_EQ(recovered.damages.size(), 1U);
  EXPECT_EQ(recovered.last_turn(), 4U);
}

TEST_F(SqliteStoreTest, ADamagedSnapshotCostsNothing) {
  recover();
  write(0, 10);
  ASSERT_TRUE(store_->save_snapshot(5, frame_of(1'000)));
  ASSERT_TRUE(store_->save_snapshot(8, frame_of(1'001)));
  store_.reset();
  ASSERT_TRUE(flip(frame_of(1'001)));
  const Recovered recovered = recover();
  ASSERT_EQ(recovered.damages.size(), 1U);
  EXPECT_NE(recovered.damages[0].what.find("snapshot of turn 8"), std::string::npos);
  EXPECT_FALSE(recovered.damages[0].first_lost);
  EXPECT_EQ(recovered.snapshot, (Snapshot{5, frame_of(1'000)}));
  ASSERT_EQ(recovered.frames.size(), 5U);
  EXPECT_EQ(recovered.last_turn(), 10U);
  EXPECT_TRUE(recover().damages.empty());
}

TEST_F(SqliteStoreTest, WithoutAnyBeginningItAsksForABackup) {
  recover();
  write(0, 10);
  ASSERT_TRUE(store_->save_snapshot(5, frame_of(1'000)));
  ASSERT_TRUE(store_->save_snapshot(8, frame_of(1'001)));
  store_.reset();
  ASSERT_TRUE(flip(frame_of(1'000)));
  ASSERT_TRUE(flip(frame_of(1'001)));
  open();
  const auto recovered = store_->recover();
  ASSERT_FALSE(recovered);
  EXPECT_EQ(recovered.error().code, Errc::kCorrupt);
  EXPECT_NE(recovered.error().message.find("weir restore"), std::string::npos);
  EXPECT_FALSE(store_->commit(turn_of(11)));
}

TEST_F(SqliteStoreTest, ADamagedHeaderAsksForABackup) {
  make(3);
  ASSERT_TRUE(flip(frame_of(0)));
  open();
  const auto recovered = store_->recover();
  ASSERT_FALSE(recovered);
  EXPECT_NE(recovered.error().message.find("header"), std::string::npos);
}

// Not a byte of a frame but the tree that holds them: each page in turn is wiped.
TEST_F(SqliteStoreTest, AWipedPageNeverGivesAWrongTurn) {
  make(100);
  const std::vector<char> good = read(file());
  std::size_t cut_short = 0;
  for (std::size_t page = 1; page < good.size() / 4096; ++page) {
    std::error_code ignored;
    std::filesystem::remove_all(state(), ignored);
    ASSERT_EQ(::mkdir(state().c_str(), 0700), 0);
    std::vector<char> wiped = good;
    std::fill_n(wiped.begin() + static_cast<std::ptrdiff_t>(page * 4096), 4096, '\xA5');
    write_bytes(wiped);
    if (!try_open()) continue;
    const auto recovered = store_->recover();
    if (!recovered) {
      EXPECT_EQ(recovered.error().code, Errc::kCorrupt) << recovered.error().message;
      continue;
    }
    if (recovered->last_turn() < 100) {
      ++cut_short;
      ASSERT_FALSE(recovered->damages.empty()) << page;
      EXPECT_TRUE(std::filesystem::exists(recovered->damages.front().kept_in));
    }
    for (const Frame& frame : recovered->frames) EXPECT_EQ(frame.bytes, frame_of(frame.number));
  }
  EXPECT_GT(cut_short, 3U);
}

TEST_F(SqliteStoreTest, TheLogStaysShort) {
  recover();
  write(0, 400, 60'000);
  EXPECT_LT(std::filesystem::file_size(state() / "weir.db-wal"), 24U << 20);
  EXPECT_GT(std::filesystem::file_size(file()), 4U << 20);
  EXPECT_EQ(recover().last_turn(), 400U);
}

TEST_F(SqliteStoreTest, TidyBringsTheLogToTheDatabase) {
  recover();
  write(0, 100, 60'000);
  const auto before = std::filesystem::file_size(file());
  ASSERT_TRUE(store_->tidy());
  EXPECT_GT(std::filesystem::file_size(file()), before + (4U << 20));
}

}  // namespace
}  // namespace weir::store
