// Rng: xoshiro256** (Blackman and Vigna, 2018) seeded through splitmix64, and our own draws, so
// that equal seeds give equal numbers with every compiler and library.
#pragma once

#include <cstdint>

namespace weir {

class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  std::uint64_t next();

  // Uniform in [0, bound), without bias (Lemire 2019). REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound);

  // Uniform in [0, 1) with 53 random bits.
  double unit();

  // Exponential with this mean (inverse transform). REQUIRES: mean > 0.
  double exponential(double mean);

  // Normal with mean 0 and deviation 1 (Box-Muller, one draw used of each pair).
  double normal();

 private:
  std::uint64_t state_[4];
};

}  // namespace weir
