#include "os/files.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/folder.hpp"

namespace weir::os {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using weir::testing::TestFolder;

ByteSpan bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string text_of(const std::filesystem::path& path) {
  const auto bytes = read_file(path, std::size_t{1} << 30);
  EXPECT_TRUE(bytes) << bytes.error().message;
  return {bytes->begin(), bytes->end()};
}

std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(WriteFile, CreatesTheFoldersAndLeavesNothingElseBehind) {
  TestFolder folder;
  const auto path = folder.path() / "a" / "b" / "report.html";
  ASSERT_TRUE(write_file(path, "one"));
  ASSERT_TRUE(write_file(path, "two"));
  EXPECT_EQ(text_of(path), "two");
  EXPECT_EQ(entries(path.parent_path()), 1U);
}

TEST(WriteFile, FollowsTheUmask) {
  TestFolder folder;
  const mode_t before = ::umask(027);
  const Status status = write_file(folder.path() / "report", "x");
  ::umask(before);
  ASSERT_TRUE(status);
  EXPECT_EQ(std::filesystem::status(folder.path() / "report").permissions(),
            std::filesystem::perms{0640});
}

TEST(WriteFile, NamesThePathItCannotWrite) {
  TestFolder folder;
  const auto file = folder.write("file", "x");
  const Status below = write_file(file / "report", "x");
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().code, Errc::kIo);
  EXPECT_THAT(below.error().message, StartsWith(file.string() + ": "));

  std::filesystem::create_directories(folder.path() / "taken" / "inner");
  const Status onto = write_file(folder.path() / "taken", "x");
  ASSERT_FALSE(onto);
  EXPECT_THAT(onto.error().message, HasSubstr("taken: cannot be written: "));
  EXPECT_EQ(entries(folder.path()), 2U);
}

TEST(ReadFile, GivesTheBytesUpToTheLimit) {
  TestFolder folder;
  const std::string bytes("\x1f\x8b\0x", 4);  // what it is plays no role
  const auto path = folder.write("file", bytes);
  EXPECT_EQ(text_of(path), bytes);
  const auto refused = read_file(path, 3);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kLimit);
  EXPECT_EQ(refused.error().message, path.string() + ": longer than 3 bytes");
  EXPECT_FALSE(read_file(folder.path(), 10));
  EXPECT_FALSE(read_file(folder.path() / "missing", 10));
}

TEST(ReadText, GivesTheWholeText) {
  TestFolder folder;
  const auto text = read_text(folder.write("file", "a\r\nb"), 100);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "a\r\nb");
}

TEST(AppendFile, HoldsWhatWasAppendedInOrder) {
  TestFolder folder;
  const auto path = folder.path() / "sub" / "journal";
  std::string want;
  {
    auto file = AppendFile::create(path);
    ASSERT_TRUE(file) << file.error().message;
    // Small pieces, and one that is larger than the buffer between them.
    for (int i = 0; i < 50'000; ++i) {
      const std::string piece = "record " + std::to_string(i) + "\n";
      ASSERT_TRUE(file->append(bytes_of(piece)));
      want += piece;
      if (i != 25'000) continue;
      const std::string large(1'000'000, 'L');
      ASSERT_TRUE(file->append(bytes_of(large)));
      want += large;
    }
    EXPECT_EQ(file->size(), want.size());
    ASSERT_TRUE(file->close());
  }
  EXPECT_EQ(text_of(path), want);
}

TEST(AppendFile, FlushMakesTheBytesVisible) {
  TestFolder folder;
  auto file = AppendFile::create(folder.path() / "journal");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(bytes_of("abc")));
  ASSERT_TRUE(file->flush());
  EXPECT_EQ(text_of(folder.path() / "journal"), "abc");
}

TEST(AppendFile, CreateTruncatesAndOpenContinues) {
  TestFolder folder;
  const auto path = folder.write("journal", "old");
  {
    auto file = AppendFile::open(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->size(), 3U);
    ASSERT_TRUE(file->append(bytes_of("new")));
    const AppendFile moved = std::move(*file);  // the one that is left flushes at its end
    EXPECT_EQ(moved.size(), 6U);
  }
  EXPECT_EQ(text_of(path), "oldnew");
  auto file = AppendFile::create(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->close());
  EXPECT_EQ(text_of(path), "");
}

TEST(AppendFile, ReportsAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this machine";
  auto file = AppendFile::open("/dev/full");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(bytes_of("abc")));
  const Status closed = file->close();
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().message, "/dev/full: cannot be written: No space left on device");
}

}  // namespace
}  // namespace weir::os
