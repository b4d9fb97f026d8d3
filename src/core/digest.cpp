#include "core/digest.hpp"

#include <cstring>
#include <string_view>

#include <sodium.h>

#include "base/assert.hpp"

namespace weir::core {
namespace {

constexpr std::size_t kDigestBytes = 32;

std::array<unsigned char, 8> little_endian(std::uint64_t number) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(number >> (8 * i));
  return bytes;
}

crypto_generichash_state* as_state(unsigned char* bytes) {
  return static_cast<crypto_generichash_state*>(static_cast<void*>(bytes));
}

}  // namespace

Digest::Digest() : state_{} {
  static_assert(sizeof(crypto_generichash_state) <= kStateBytes);
  WEIR_ASSERT(crypto_generichash_init(as_state(state_.data()), nullptr, 0, kDigestBytes) == 0);
}

void Digest::record(ByteSpan bytes) {
  const auto length = little_endian(bytes.size());
  crypto_generichash_update(as_state(state_.data()), length.data(), 4);
  crypto_generichash_update(as_state(state_.data()), bytes.data(), bytes.size());
}

std::string Digest::hex() const {
  auto copy = state_;
  std::array<unsigned char, kDigestBytes> digest{};
  crypto_generichash_final(as_state(copy.data()), digest.data(), digest.size());
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::uint64_t record_check(std::uint64_t position, ByteSpan bytes) {
  crypto_generichash_state state;
  WEIR_ASSERT(crypto_generichash_init(&state, nullptr, 0, crypto_generichash_BYTES_MIN) == 0);
  const auto place = little_endian(position);
  crypto_generichash_update(&state, place.data(), place.size());
  crypto_generichash_update(&state, bytes.data(), bytes.size());
  std::array<unsigned char, crypto_generichash_BYTES_MIN> hash{};
  crypto_generichash_final(&state, hash.data(), hash.size());
  std::uint64_t check = 0;
  std::memcpy(&check, hash.data(), sizeof check);
  return check;
}

}  // namespace weir::core
