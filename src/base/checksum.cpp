#include "base/checksum.hpp"

#include <array>
#include <cstddef>

namespace weir {
namespace {

constexpr std::uint64_t kPolynomial = 0xC96C5795D7870F42;  // reflected
constexpr std::size_t kLanes = 8;

using Tables = std::array<std::array<std::uint64_t, 256>, kLanes>;

// Table k takes a byte that k more bytes follow ("slicing by eight").
constexpr Tables make_tables() {
  Tables tables{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    std::uint64_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t lane = 1; lane < kLanes; ++lane)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint64_t before = tables[lane - 1][byte];
      tables[lane][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint64_t crc64(ByteSpan bytes, std::uint64_t before) {
  std::uint64_t crc = ~before;
  while (bytes.size() >= kLanes) {
    for (std::size_t i = 0; i < kLanes; ++i) crc ^= std::uint64_t{bytes[i]} << (8 * i);
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < kLanes; ++i)
      next ^= kTables[kLanes - 1 - i][(crc >> (8 * i)) & 0xFF];
    crc = next;
    bytes = bytes.subspan(kLanes);
  }
  for (const std::uint8_t byte : bytes) crc = (crc >> 8) ^ kTables[0][(crc ^ byte) & 0xFF];
  return ~crc;
}

}  // namespace weir
