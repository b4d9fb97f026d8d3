#include "base/host_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names(std::string_view text) {
  const auto result = expand_hosts(text, 100);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result.value_or(std::vector<std::string>{});
}

std::string complaint(std::string_view text) {
  const auto result = expand_hosts(text, 100);
  return result ? "" : result.error().message;
}

TEST(HostList, NamesRangesAndZeros) {
  EXPECT_THAT(names("login1"), ElementsAre("login1"));
  EXPECT_THAT(names("gpu[001-003,007],login1"),
              ElementsAre("gpu001", "gpu002", "gpu003", "gpu007", "login1"));
  EXPECT_THAT(names("a[9-11]-ib, b[2]"), ElementsAre("a9-ib", "a10-ib", "a11-ib", "b2"));
}

TEST(HostList, SaysWhatIsWrong) {
  EXPECT_THAT(complaint(""), HasSubstr("a name is empty"));
  EXPECT_THAT(complaint("a,,b"), HasSubstr("a name is empty"));
  EXPECT_THAT(complaint("a[1-2"), HasSubstr("brackets do not match"));
  EXPECT_THAT(complaint("a]1["), HasSubstr("brackets do not match"));
  EXPECT_THAT(complaint("a[1][2]"), HasSubstr("brackets do not match"));
  EXPECT_THAT(complaint("a[3-1]"), HasSubstr("\"3-1\" goes down"));
  EXPECT_THAT(complaint("a[x-2]"), HasSubstr("\"x-2\" is no range"));
  EXPECT_THAT(complaint("a[1-]"), HasSubstr("\"1-\" is no range"));
}

TEST(HostList, NeverMoreThanAskedFor) {
  EXPECT_THAT(complaint("a[1-101]"), HasSubstr("more than 100 names"));
  EXPECT_THAT(complaint("a[0-18446744073709551615]"), HasSubstr("more than 100 names"));
  EXPECT_EQ(names("a[1-100]").size(), 100U);
}

}  // namespace
}  // namespace weir
