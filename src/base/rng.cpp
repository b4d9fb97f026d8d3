#include "base/rng.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "base/assert.hpp"

namespace weir {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

struct Product {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};

// 64 x 64 -> 128 bits from 32-bit halves: the standard has no wider integer.
Product multiply(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a_low = a & 0xffffffffU;
  const std::uint64_t a_high = a >> 32;
  const std::uint64_t b_low = b & 0xffffffffU;
  const std::uint64_t b_high = b >> 32;
  const std::uint64_t low = a_low * b_low;
  const std::uint64_t cross = a_high * b_low + (low >> 32);
  const std::uint64_t middle = a_low * b_high + (cross & 0xffffffffU);
  return {a_high * b_high + (cross >> 32) + (middle >> 32), (middle << 32) | (low & 0xffffffffU)};
}

}  // namespace

Rng::Rng(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  WEIR_ASSERT(bound > 0);
  Product product = multiply(next(), bound);
  if (product.low < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (product.low < threshold) product = multiply(next(), bound);
  }
  return product.high;
}

double Rng::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Rng::exponential(double mean) { return -mean * std::log1p(-unit()); }

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-unit()));
  return radius * std::cos(2.0 * std::numbers::pi * unit());
}

}  // namespace weir
