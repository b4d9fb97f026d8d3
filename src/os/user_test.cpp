#include "os/user.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::os {
namespace {

TEST(User, IsFoundByNameWithItsGroups) {
  const auto root = find_user("root");
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_EQ(root->uid, 0U);
  EXPECT_EQ(root->gid, 0U);
  EXPECT_THAT(root->groups, ::testing::Contains(0U));
}

TEST(User, ThatNobodyKnowsIsNamed) {
  const auto user = find_user("no-such-user");
  ASSERT_FALSE(user);
  EXPECT_EQ(user.error().code, Errc::kBadInput);
  EXPECT_EQ(user.error().message, "no user has the name \"no-such-user\" here");
}

}  // namespace
}  // namespace weir::os
