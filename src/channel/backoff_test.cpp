#include "channel/backoff.hpp"

#include <gtest/gtest.h>

#include "channel/outbox.hpp"

namespace weir::channel {
namespace {

TEST(Backoff, GrowsToItsLimitAndStartsAnew) {
  Backoff backoff({Duration(100), Duration(1000)}, Rng(1));
  for (const int longest : {100, 200, 400, 800, 1000, 1000}) {
    const Duration wait = backoff.next();
    EXPECT_GE(wait.count(), longest / 2);
    EXPECT_LE(wait.count(), longest);
  }
  backoff.reset();
  EXPECT_LE(backoff.next().count(), 100);
}

TEST(Backoff, TwoAgentsDoNotWaitEquallyLong) {
  Backoff one({}, Rng(1));
  Backoff other({}, Rng(2));
  EXPECT_NE(one.next(), other.next());
  Backoff same({}, Rng(1));
  EXPECT_EQ(same.next(), Backoff({}, Rng(1)).next());
}

TEST(Outbox, IsBoundedByBytesAndTakesOneThatIsLonger) {
  Outbox<int> outbox(1000);
  EXPECT_TRUE(outbox.push(std::make_unique<int>(1), 5000)) << "it was empty";
  EXPECT_FALSE(outbox.push(std::make_unique<int>(2), 1));
  EXPECT_EQ(outbox.front(), 1);
  outbox.pop();
  EXPECT_TRUE(outbox.empty());
  int taken = 0;
  while (outbox.push(std::make_unique<int>(taken), 0)) ++taken;
  EXPECT_GT(taken, 1);
  EXPECT_LT(taken, 10) << "short ones take memory, too";
  for (int i = 0; i < taken; ++i) {
    EXPECT_EQ(outbox.front(), i);
    outbox.pop();
  }
  EXPECT_TRUE(outbox.empty());
}

}  // namespace
}  // namespace weir::channel
