// crc64: tells stored bytes from damaged ones. Not against an adversary: for that there is the
// digest of core.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"

namespace weir {

// CRC-64/XZ (ECMA-182, reflected) of the bytes behind those that gave `before`: the checksum of
// two pieces is crc64(second, crc64(first)).
std::uint64_t crc64(ByteSpan bytes, std::uint64_t before = 0);

}  // namespace weir
