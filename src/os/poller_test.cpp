#include "os/poller.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "os/local_socket.hpp"

namespace weir::os {
namespace {

constexpr Duration kPatience{60'000'000};

TEST(Poller, TellsWhichDescriptorIsReadyAndForWhat) {
  auto poller = Poller::create();
  ASSERT_TRUE(poller);
  auto pair = connected_pair();
  ASSERT_TRUE(pair);
  ASSERT_TRUE(poller->watch(pair->first.get(), 7));
  EXPECT_TRUE(poller->wait(Duration(0)).empty());
  EXPECT_FALSE(wait_readable(poller->fd(), Duration(0)));

  ASSERT_EQ(::write(pair->second.get(), "x", 1), 1);
  EXPECT_TRUE(wait_readable(poller->fd(), kPatience)) << "a poller can be polled";
  auto ready = poller->wait(kPatience);
  ASSERT_EQ(ready.size(), 1U);
  EXPECT_EQ(ready[0].key, 7U);
  EXPECT_TRUE(ready[0].readable);
  EXPECT_FALSE(ready[0].writable);

  ASSERT_TRUE(poller->change(pair->first.get(), 8, Interest::kReadAndWrite));
  ready = poller->wait(kPatience);
  ASSERT_EQ(ready.size(), 1U);
  EXPECT_EQ(ready[0].key, 8U);
  EXPECT_TRUE(ready[0].writable);

  poller->forget(pair->first.get());
  EXPECT_TRUE(poller->wait(Duration(0)).empty());
}

TEST(Poller, AClosedEndIsReadable) {
  auto poller = Poller::create();
  auto pair = connected_pair();
  ASSERT_TRUE(poller && pair);
  ASSERT_TRUE(poller->watch(pair->first.get(), 1));
  pair->second.close();
  const auto ready = poller->wait(kPatience);
  ASSERT_EQ(ready.size(), 1U);
  EXPECT_TRUE(ready[0].readable);
}

TEST(Poller, CannotWatchWhatIsNotOpen) {
  auto poller = Poller::create();
  ASSERT_TRUE(poller);
  EXPECT_FALSE(poller->watch(-1, 1));
}

}  // namespace
}  // namespace weir::os
