#include "os/durable.hpp"

#include <string>

#include <gtest/gtest.h>

#include "os/files.hpp"
#include "support/folder.hpp"

namespace weir::os {
namespace {

using weir::testing::TestFolder;

ByteSpan bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Durable, AFileIsReplacedWholeAndNothingElseIsLeft) {
  const TestFolder folder;
  const auto path = folder.path() / "file";
  ASSERT_TRUE(write_durably(path, bytes_of("one")));
  ASSERT_TRUE(write_durably(path, bytes_of("two")));
  EXPECT_EQ(read_text(path, 10), "two");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  EXPECT_FALSE(write_durably(folder.path() / "missing" / "file", bytes_of("x")));
}

TEST(DurableLog, GrowsBehindWhatIsThere) {
  const TestFolder folder;
  const auto path = folder.write("log", "good|torn");
  auto log = DurableLog::open(path);
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->cut(100)) << "no more than there is";
  ASSERT_TRUE(log->cut(5));
  ASSERT_TRUE(log->append(bytes_of("new")));
  EXPECT_EQ(read_text(path, 100), "good|new");
  EXPECT_FALSE(DurableLog::open(folder.path() / "missing" / "log"));
}

TEST(DurableLog, SaysThatTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this machine";
  auto log = DurableLog::open("/dev/full");
  ASSERT_TRUE(log);
  const Status appended = log->append(bytes_of("x"));
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().message, "/dev/full: cannot be written: No space left on device");
}

TEST(Lock, HasOneHolder) {
  const TestFolder folder;
  auto first = try_lock(folder.path() / "lock");
  ASSERT_TRUE(first && *first);
  auto second = try_lock(folder.path() / "lock");
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->has_value());
  (*first)->close();
  second = try_lock(folder.path() / "lock");
  EXPECT_TRUE(second && *second);
  EXPECT_FALSE(try_lock(folder.path() / "missing" / "lock"));
}

}  // namespace
}  // namespace weir::os
