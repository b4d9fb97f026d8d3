#include "base/units.hpp"

#include <unordered_set>

#include <gtest/gtest.h>

#include "base/id.hpp"
#include "base/result.hpp"

namespace weir {
namespace {

TEST(Units, BytesOverBandwidthIsSeconds) {
  EXPECT_DOUBLE_EQ(25_GiB / 400_Gbps, 25.0 * 1073741824 * 8 / 400e9);
  EXPECT_EQ((1_TiB).mib(), 1024U * 1024U);
  EXPECT_EQ(1_GiB + 1024_MiB, 2_GiB);
  EXPECT_DOUBLE_EQ((200_Gbps + 200_Gbps).gbps(), 400.0);
}

TEST(Id, NoneIsNoValueAndIdsCompareByValue) {
  using Key = Id<struct KeyTag>;
  EXPECT_TRUE(Key().is_none());
  EXPECT_FALSE(Key(0).is_none());
  EXPECT_LT(Key(1), Key(2));
  EXPECT_LT(Key(2), Key::none());
  EXPECT_EQ((std::unordered_set<Key>{Key(1), Key(1), Key(2)}).size(), 2U);
}

Result<int> half(int number) {
  if (number % 2 != 0) return bad_input("odd");
  return number / 2;
}
Result<int> quarter(int number) {
  const int halved = WEIR_TRY(half(number));
  return half(halved);
}

TEST(WeirTry, YieldsTheValueOrReturnsTheError) {
  EXPECT_EQ(quarter(8), 2);
  EXPECT_EQ(quarter(6).error().message, "odd");
  EXPECT_EQ(quarter(7).error().code, Errc::kBadInput);
}

}  // namespace
}  // namespace weir
