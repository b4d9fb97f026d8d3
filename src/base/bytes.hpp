// ByteWriter and ByteReader: the one way values become bytes (journal, state, digests).
//
// Unsigned numbers are LEB128 varints, signed ones zigzag varints, texts a length and their bytes.
// Equal values give equal bytes. A ByteReader never reads past its end: after the first bad read
// every further one yields zero and ok() is false, so that a decoder checks once per record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

using ByteSpan = std::span<const std::uint8_t>;

class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(value); }
  void unsigned_number(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  void signed_number(std::int64_t value) {
    unsigned_number((static_cast<std::uint64_t>(value) << 1) ^
                    static_cast<std::uint64_t>(value >> 63));
  }
  void text(std::string_view value) {
    unsigned_number(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }

  [[nodiscard]] ByteSpan bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::vector<std::uint8_t> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(ByteSpan bytes) : bytes_(bytes) {}

  std::uint8_t u8();
  std::uint64_t unsigned_number();
  std::int64_t signed_number();
  // A text of at most `limit` bytes.
  std::string text(std::size_t limit);
  // A count of items of which each takes at least one byte, so a false count cannot make us
  // reserve more memory than the input has bytes.
  std::size_t count();
  // An unsigned number that must be below `bound`.
  std::uint64_t below(std::uint64_t bound);

  // Marks the input as bad, when a decoder finds a value that cannot be.
  void fail() { ok_ = false; }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t position() const { return at_; }

 private:
  ByteSpan bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace weir
