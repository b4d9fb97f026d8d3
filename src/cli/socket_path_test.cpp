#include "cli/socket_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/folder.hpp"

namespace weir::cli {
namespace {

using ::testing::HasSubstr;

TEST(SocketPath, WhatIsNamedWins) {
  SocketPlaces places{"/a", "/b", "/c", 1000, true};
  EXPECT_EQ(socket_rule(places, SocketUse::kAsk).path, "/a");
  EXPECT_FALSE(socket_rule(places, SocketUse::kAsk).usual);
  places.option = {};
  EXPECT_EQ(socket_rule(places, SocketUse::kServe).path, "/b");
}

TEST(SocketPath, TheSitesSocketIsAskedAndNotServedByUsers) {
  const SocketPlaces places{{}, "", "/run/user/1000", 1000, true};
  EXPECT_EQ(socket_rule(places, SocketUse::kAsk).path, "/run/weir/weir.sock");
  EXPECT_EQ(socket_rule(places, SocketUse::kServe).path, "/run/user/1000/weir/weir.sock");
}

TEST(SocketPath, RootServesTheSites) {
  const SocketPlaces places{{}, nullptr, "/run/user/0", 0, false};
  EXPECT_EQ(socket_rule(places, SocketUse::kServe).path, "/run/weir/weir.sock");
  EXPECT_EQ(socket_rule(places, SocketUse::kAsk).path, "/run/weir/weir.sock");
}

TEST(SocketPath, WithoutASiteUsersHaveTheirOwn) {
  EXPECT_EQ(socket_rule({{}, nullptr, "/run/user/7", 7, false}, SocketUse::kAsk).path,
            "/run/user/7/weir/weir.sock");
  EXPECT_EQ(socket_rule({{}, nullptr, nullptr, 7, false}, SocketUse::kAsk).path,
            "/tmp/weir-7/weir.sock");
}

TEST(SocketPath, AFolderThatAnotherMadeIsNotTrusted) {
  const weir::testing::TestFolder folder;
  EXPECT_TRUE(check_owner(folder.path(), ::geteuid()));
  EXPECT_TRUE(check_owner(folder.path() / "missing", ::geteuid()));
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "link");
  const auto link = check_owner(folder.path() / "link", ::geteuid());
  ASSERT_FALSE(link);
  EXPECT_THAT(link.error().message, HasSubstr("is no folder of yours"));
  // Root's folders are trusted, hence another owner where root tests.
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(folder.path().c_str(), 12'345, 12'345), 0);
  }
  EXPECT_FALSE(check_owner(folder.path(), 54'321));
}

}  // namespace
}  // namespace weir::cli
