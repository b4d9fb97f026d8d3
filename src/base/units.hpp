// Bytes and Bandwidth as types of their own; 25_GiB / 400_Gbps is a duration in seconds.
#pragma once

#include <compare>
#include <cstdint>

namespace weir {

class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::uint64_t count) : count_(count) {}
  [[nodiscard]] constexpr std::uint64_t count() const { return count_; }
  [[nodiscard]] constexpr std::uint64_t mib() const { return count_ >> 20; }
  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes(a.count_ + b.count_); }

 private:
  std::uint64_t count_ = 0;
};

// Bits a second, one direction.
class Bandwidth {
 public:
  constexpr Bandwidth() = default;
  constexpr explicit Bandwidth(std::uint64_t bits_per_second) : bits_per_second_(bits_per_second) {}
  [[nodiscard]] constexpr std::uint64_t bits_per_second() const { return bits_per_second_; }
  [[nodiscard]] constexpr double gbps() const {
    return static_cast<double>(bits_per_second_) / 1e9;
  }
  friend constexpr auto operator<=>(Bandwidth, Bandwidth) = default;
  friend constexpr Bandwidth operator+(Bandwidth a, Bandwidth b) {
    return Bandwidth(a.bits_per_second_ + b.bits_per_second_);
  }

 private:
  std::uint64_t bits_per_second_ = 0;
};

// Seconds that moving `size` takes at full rate.
constexpr double operator/(Bytes size, Bandwidth rate) {
  return static_cast<double>(size.count()) * 8 / static_cast<double>(rate.bits_per_second());
}

inline namespace literals {
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes(n << 20); }
constexpr Bytes operator""_GiB(unsigned long long n) { return Bytes(n << 30); }
constexpr Bytes operator""_TiB(unsigned long long n) { return Bytes(n << 40); }
constexpr Bandwidth operator""_Gbps(unsigned long long n) { return Bandwidth(n * 1'000'000'000); }
}  // namespace literals

}  // namespace weir
