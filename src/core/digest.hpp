// BLAKE2b-256 (RFC 7693) of a stream of records.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/bytes.hpp"

namespace weir::core {

class Digest {
 public:
  Digest();
  // Enters one record: its length as four bytes, lowest first, then its bytes.
  void record(ByteSpan bytes);
  // The digest of all records so far, as 64 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  static constexpr std::size_t kStateBytes = 384;
  alignas(64) std::array<unsigned char, kStateBytes> state_;  // libsodium's
};

// Eight bytes that tell a record at this position from any other.
std::uint64_t record_check(std::uint64_t position, ByteSpan bytes);

}  // namespace weir::core
