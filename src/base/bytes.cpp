#include "base/bytes.hpp"

namespace weir {

std::uint8_t ByteReader::u8() {
  if (!ok_ || at_ >= bytes_.size()) {
    ok_ = false;
    return 0;
  }
  return bytes_[at_++];
}

std::uint64_t ByteReader::unsigned_number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = u8();
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) != 0) continue;
    // One value has one encoding: no padding bytes, no bits beyond the 64th.
    if ((byte == 0 && shift > 0) || (shift == 63 && byte > 1)) break;
    return ok_ ? value : 0;
  }
  ok_ = false;
  return 0;
}

std::int64_t ByteReader::signed_number() {
  const std::uint64_t value = unsigned_number();
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

std::string ByteReader::text(std::size_t limit) {
  const std::uint64_t size = unsigned_number();
  if (!ok_ || size > limit || size > bytes_.size() - at_) {
    ok_ = false;
    return {};
  }
  std::string value(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                    bytes_.begin() + static_cast<std::ptrdiff_t>(at_ + size));
  at_ += size;
  return value;
}

std::size_t ByteReader::count() {
  const std::uint64_t value = unsigned_number();
  if (ok_ && value <= bytes_.size() - at_) return value;
  ok_ = false;
  return 0;
}

std::uint64_t ByteReader::below(std::uint64_t bound) {
  const std::uint64_t value = unsigned_number();
  if (ok_ && value < bound) return value;
  ok_ = false;
  return 0;
}

}  // namespace weir
