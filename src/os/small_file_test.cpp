#include "os/small_file.hpp"

#include <gtest/gtest.h>

#include "support/folder.hpp"

namespace weir::os {
namespace {

TEST(SmallFile, GivesTheBytesUpToTheLimit) {
  const weir::testing::TestFolder folder;
  const std::string bytes(40'000, 'x');
  const auto path = folder.write("file", bytes);
  const auto read = read_small_file(path, bytes.size());
  ASSERT_TRUE(read);
  EXPECT_EQ(std::string(read->begin(), read->end()), bytes);
  const auto refused = read_small_file(path, bytes.size() - 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kLimit);
  EXPECT_TRUE(read_small_file("/proc/self/stat", 4096)) << "a file that does not know its size";
  EXPECT_FALSE(read_small_file(folder.path(), 10));
  EXPECT_FALSE(read_small_file(folder.path() / "missing", 10));
}

}  // namespace
}  // namespace weir::os
