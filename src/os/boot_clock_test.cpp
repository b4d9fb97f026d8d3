#include "os/boot_clock.hpp"

#include <gtest/gtest.h>

#include "os/poller.hpp"

namespace weir::os {
namespace {

constexpr Duration kPatience{60'000'000};

TEST(BootClock, NeverGoesBackAndKnowsItsBoot) {
  const Duration first = since_boot();
  EXPECT_GT(first, Duration(0));
  EXPECT_GE(since_boot(), first);
  const auto boot = boot_id();
  ASSERT_TRUE(boot);
  EXPECT_EQ(boot->size(), 36U);
  EXPECT_EQ(*boot, boot_id().value_or(""));
}

TEST(BootTimer, IsReadableOnceItsInstantHasCome) {
  auto timer = BootTimer::create();
  ASSERT_TRUE(timer);
  EXPECT_FALSE(wait_readable(timer->fd(), Duration(0))) << "not set";
  timer->set(since_boot() + kPatience * 10);
  EXPECT_FALSE(wait_readable(timer->fd(), Duration(0)));
  const Duration at = since_boot() + Duration(2'000);
  timer->set(at);
  ASSERT_TRUE(wait_readable(timer->fd(), kPatience));
  EXPECT_GE(since_boot(), at);
  timer->acknowledge();
  EXPECT_FALSE(wait_readable(timer->fd(), Duration(0)));
  timer->set(Duration(0));
  EXPECT_TRUE(wait_readable(timer->fd(), kPatience)) << "an instant that has passed";
  timer->set(std::nullopt);
  EXPECT_FALSE(wait_readable(timer->fd(), Duration(0)));
}

}  // namespace
}  // namespace weir::os
