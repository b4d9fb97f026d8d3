#include "base/checksum.hpp"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace weir {
namespace {

ByteSpan bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Checksum, IsTheCatalogueCrc64Xz) {
  EXPECT_EQ(crc64(bytes_of("123456789")), 0x995DC9BBDF1939FA);
  EXPECT_EQ(crc64({}), 0U);
}

TEST(Checksum, GoesOnOverPieces) {
  const ByteSpan text = bytes_of("one frame after the other, and nothing between them");
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(crc64(text.subspan(cut), crc64(text.first(cut))), crc64(text)) << cut;
}

TEST(Checksum, SeesEveryFlippedBit) {
  std::vector<std::uint8_t> bytes(40, 0x5A);
  const std::uint64_t good = crc64(bytes);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
    EXPECT_NE(crc64(bytes), good) << bit;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
  }
}

}  // namespace
}  // namespace weir
