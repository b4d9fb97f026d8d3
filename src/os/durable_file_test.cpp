#include "os/durable_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "os/files.hpp"
#include "support/folder.hpp"

namespace weir::os {
namespace {

unsigned mode_of(const std::filesystem::path& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

TEST(DurableFile, IsWholeAndClosedToOthers) {
  const testing::TestFolder folder;
  const auto place = folder.path() / "above" / "identity";
  ASSERT_TRUE(create_private_folder(place));
  EXPECT_EQ(mode_of(place), 0700U);
  ASSERT_TRUE(write_private_file(place / "key", "first"));
  ASSERT_TRUE(write_private_file(place / "key", "second"));
  EXPECT_EQ(mode_of(place / "key"), 0600U);
  EXPECT_EQ(read_text(place / "key", 100).value(), "second");
}

TEST(DurableFile, AFolderThatWasOpenIsClosed) {
  const testing::TestFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  ASSERT_TRUE(create_private_folder(folder.path()));
  EXPECT_EQ(mode_of(folder.path()), 0700U);
}

TEST(DurableFile, RefusalsNameThePath) {
  const testing::TestFolder folder;
  const Status status = write_private_file(folder.path() / "missing" / "key", "x");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("missing/key: cannot be created"), std::string::npos);
}

TEST(DurableFile, RemovingWhatIsNotThereIsNoError) {
  const testing::TestFolder folder;
  const auto file = folder.write("key", "x");
  EXPECT_TRUE(remove_file(file));
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(remove_file(file));
}

}  // namespace
}  // namespace weir::os
