#include "base/rng.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace weir {
namespace {

// The published algorithms (prng.di.unimi.it, splitmix64.c and xoshiro256starstar.c), written down
// a second time from there.
struct Reference {
  std::uint64_t seed = 0;
  std::array<std::uint64_t, 4> s{};

  explicit Reference(std::uint64_t from) : seed(from) {
    for (auto& word : s) word = splitmix64();
  }
  std::uint64_t splitmix64() {
    std::uint64_t z = (seed += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t next() {
    const std::uint64_t result = rotl(s[1] * 5, 7) * 9;
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
  }
};

TEST(Rng, FollowsThePublishedAlgorithms) {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, UINT64_MAX}) {
    Rng rng(seed);
    Reference reference(seed);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(rng.next(), reference.next());
  }
}

// Known values: the first outputs of splitmix64 for seed 1234567 as widely published (Rosetta
// Code), and of xoshiro256** from state {1, 2, 3, 4} (rand_xoshiro's test vector).
TEST(Rng, TheReferenceGivesTheKnownValues) {
  Reference split(0);
  split.seed = 1234567;
  EXPECT_EQ(split.splitmix64(), 6457827717110365317U);
  EXPECT_EQ(split.splitmix64(), 3203168211198807973U);
  EXPECT_EQ(split.splitmix64(), 9817491932198370423U);
  Reference xoshiro(0);
  xoshiro.s = {1, 2, 3, 4};
  EXPECT_EQ(xoshiro.next(), 11520U);
  EXPECT_EQ(xoshiro.next(), 0U);
  EXPECT_EQ(xoshiro.next(), 1509978240U);
  EXPECT_EQ(xoshiro.next(), 1215971899390074240U);
}

TEST(Rng, EqualSeedsGiveEqualNumbersAndOthersDoNot) {
  Rng a(7);
  Rng b(7);
  Rng c(8);
  const std::uint64_t first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, c.next());
}

// Chi-squared over the cells stays below the 0.1 % point of its distribution.
TEST(Rng, BelowIsUniform) {
  constexpr double kDraws = 100'000;
  struct Case {
    std::uint64_t bound;
    double limit;
  };
  for (const Case& test : {Case{2, 10.83}, Case{7, 22.46}, Case{64, 103.4}}) {
    Rng rng(42);
    std::vector<double> seen(test.bound, 0);
    for (int i = 0; i < static_cast<int>(kDraws); ++i) ++seen.at(rng.below(test.bound));
    const double expected = kDraws / static_cast<double>(test.bound);
    double chi_squared = 0;
    for (const double count : seen)
      chi_squared += (count - expected) * (count - expected) / expected;
    EXPECT_LT(chi_squared, test.limit) << "bound " << test.bound;
  }
}

TEST(Rng, BelowHasNoBiasWhereTheBoundIsLarge) {
  // Three quarters of the range: taking the remainder would give the lower third twice as often.
  constexpr std::uint64_t kBound = std::uint64_t{3} << 62;
  Rng rng(1);
  int low = 0;
  for (int i = 0; i < 30'000; ++i) {
    const std::uint64_t draw = rng.below(kBound);
    ASSERT_LT(draw, kBound);
    if (draw < kBound / 3) ++low;
  }
  EXPECT_NEAR(low, 10'000, 400);
}

TEST(Rng, BelowOneIsZero) {
  Rng rng(5);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.below(1), 0U);
}

TEST(Rng, UnitExponentialAndNormalHaveTheirMoments) {
  Rng rng(3);
  constexpr int kDraws = 200'000;
  double unit = 0;
  double exponential = 0;
  double normal = 0;
  double normal_squared = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = rng.unit();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    unit += u;
    const double e = rng.exponential(5);
    ASSERT_GE(e, 0);
    exponential += e;
    const double n = rng.normal();
    ASSERT_TRUE(std::isfinite(n));
    normal += n;
    normal_squared += n * n;
  }
  EXPECT_NEAR(unit / kDraws, 0.5, 0.005);
  EXPECT_NEAR(exponential / kDraws, 5, 0.06);
  EXPECT_NEAR(normal / kDraws, 0, 0.01);
  EXPECT_NEAR(normal_squared / kDraws, 1, 0.02);
}

}  // namespace
}  // namespace weir
