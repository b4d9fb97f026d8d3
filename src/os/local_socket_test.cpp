#include "os/local_socket.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "os/poller.hpp"
#include "support/folder.hpp"

namespace weir::os {
namespace {

using weir::testing::TestFolder;

TEST(LocalSocket, CarriesBytesBothWaysAndTellsTheEnd) {
  const TestFolder folder;
  const auto path = folder.path() / "socket";
  EXPECT_FALSE(connect_local(path)) << "nobody listens";
  const auto listener = listen_local(path);
  ASSERT_TRUE(listener) << listener.error().message;
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);

  EXPECT_FALSE(accept_local(listener->get()).is_open());
  auto near = connect_local(path);
  ASSERT_TRUE(near) << near.error().message;
  LocalConnection a(*std::move(near));
  LocalConnection b(accept_local(listener->get()));
  std::vector<std::uint8_t> received;
  EXPECT_TRUE(b.receive(received)) << "open, and nothing there";
  a.queue(std::vector<std::uint8_t>{1, 2, 3});
  EXPECT_EQ(a.queued(), 3U);
  ASSERT_TRUE(a.flush());
  EXPECT_EQ(a.queued(), 0U);
  EXPECT_TRUE(b.receive(received));
  EXPECT_EQ(received, (std::vector<std::uint8_t>{1, 2, 3}));
  b.queue(std::vector<std::uint8_t>{4});
  ASSERT_TRUE(b.flush());
  {
    const LocalConnection gone(std::move(b));
  }
  received.clear();
  EXPECT_FALSE(a.receive(received)) << "closed";
  EXPECT_EQ(received, (std::vector<std::uint8_t>{4})) << "but what came before is there";
}

TEST(LocalSocket, QueuesWhatTheOtherEndDoesNotTake) {
  auto pair = connected_pair();
  ASSERT_TRUE(pair);
  LocalConnection a(std::move(pair->first));
  LocalConnection b(std::move(pair->second));
  const std::vector<std::uint8_t> bytes(4'000'000, 9);
  a.queue(bytes);
  ASSERT_TRUE(a.flush());
  EXPECT_GT(a.queued(), 0U);
  std::vector<std::uint8_t> received;
  while (received.size() < bytes.size()) {
    ASSERT_TRUE(b.receive(received));
    ASSERT_TRUE(a.flush());
  }
  EXPECT_EQ(received, bytes);
  EXPECT_EQ(a.queued(), 0U);
}

TEST(LocalSocket, ALongPathAndAnOldSocketAreNoHindrance) {
  const TestFolder folder;
  const auto deep = folder.path() / std::string(120, 'd');
  ASSERT_TRUE(std::filesystem::create_directory(deep));
  {
    ASSERT_TRUE(listen_local(deep / "socket"));
  }
  const auto again = listen_local(deep / "socket");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(connect_local(deep / "socket"));
  EXPECT_FALSE(listen_local(folder.path() / "missing" / "socket"));
}

}  // namespace
}  // namespace weir::os
