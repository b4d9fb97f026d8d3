#include "pool/room.hpp"

#include <gtest/gtest.h>

namespace weir::pool {
namespace {

constexpr Capacity kHalf{0, 1000, 64, 500};

TEST(Room, AShareMakesAGpuSharedAndComesBackWhole) {
  Room room = whole_room({2, 8000, 512});
  const Room before = room;
  take(room, 0b01, kHalf);
  EXPECT_EQ(room.free, (Capacity{1, 7000, 448, 500}));
  EXPECT_EQ(room.shared, (std::vector<SharedGpu>{{0, 500}}));
  take(room, 0b01, {0, 0, 0, 300});
  EXPECT_EQ(room.free.gpu_milli, 200U);
  give_back(room, 0b01, kHalf);
  give_back(room, 0b01, {0, 0, 0, 300});
  EXPECT_EQ(room, before);
}

TEST(Room, AShareCannotTakeWhatIsNotThere) {
  Room room = whole_room({2, 8000, 512});
  take(room, 0b01, {1, 0, 0, 0});
  EXPECT_FALSE(can_take(room, 0b01, kHalf)) << "leased whole";
  take(room, 0b10, {0, 0, 0, 700});
  EXPECT_FALSE(can_take(room, 0b10, kHalf)) << "300 are left";
  EXPECT_FALSE(can_take(room, 0b10, {1, 0, 0, 0})) << "shared";
  EXPECT_TRUE(can_take(room, 0b10, {0, 0, 0, 300}));
  EXPECT_FALSE(can_take(room, 0b10, {0, 9000, 0, 300})) << "too few CPUs";
  EXPECT_FALSE(can_take(whole_room({2, 0, 0}), 0b11, {0, 0, 0, 300})) << "one GPU, not two";
  EXPECT_FALSE(can_take(whole_room({2, 0, 0}), 0b01, {0, 0, 0, 1000}));
}

TEST(Room, TheUsualGpuIsTheTightestSharedOne) {
  Room room = whole_room({4, 8000, 512});
  take(room, 0b0010, {0, 0, 0, 300});
  take(room, 0b1000, {0, 0, 0, 600});
  EXPECT_EQ(usual_gpus(room, {0, 0, 0, 400}), 0b1000U);
  EXPECT_EQ(usual_gpus(room, {0, 0, 0, 500}), 0b0010U);
  EXPECT_EQ(usual_gpus(room, {0, 0, 0, 800}), 0b0001U) << "the lowest wholly free one";
  EXPECT_EQ(usual_gpus(room, {2, 0, 0, 0}), 0b0101U);
}

TEST(Room, WhatIsKeptForLaterCannotBeUsedNow) {
  Room now = whole_room({3, 8000, 512});
  take(now, 0b001, {0, 0, 0, 300});
  take(now, 0b010, {0, 0, 0, 300});
  Room then = whole_room({3, 8000, 512});
  take(then, 0b010, {0, 0, 0, 300});
  then.shared.front().left = 100;  // 600 of it are kept
  then.free.gpus = 0;              // and both whole ones
  const Room usable = usable_now(now, then);
  EXPECT_EQ(usable.free.gpus, 0U);
  EXPECT_EQ(usable.shared, (std::vector<SharedGpu>{{0, 0}, {1, 100}}))
      << "GPU 0 is wholly free then, and kept";
  then.free.gpus = 1;
  EXPECT_EQ(usable_now(now, then).shared, (std::vector<SharedGpu>{{0, 700}, {1, 100}}));
}

}  // namespace
}  // namespace weir::pool
