#include "store/log_check.hpp"

#include <vector>

#include "os/files.hpp"

namespace weir::store {
namespace {

constexpr std::size_t kHeadBytes = 32;
constexpr std::size_t kFrameHeadBytes = 24;
constexpr std::size_t kFrameChecked = 8;  // of its head; the page follows
constexpr std::uint32_t kMagic = 0x377F0682;
constexpr std::size_t kLogBytes = std::size_t{4} << 30;

std::uint32_t big_endian(ByteSpan bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = (number << 8) | bytes[at + i];
  return number;
}

struct Sums {
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  // REQUIRES: a multiple of 8 bytes.
  void add(ByteSpan bytes, bool words_are_big_endian) {
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
      first += word(bytes, at, words_are_big_endian) + second;
      second += word(bytes, at + 4, words_are_big_endian) + first;
    }
  }
  static std::uint32_t word(ByteSpan bytes, std::size_t at, bool is_big_endian) {
    const std::uint32_t number = big_endian(bytes, at);
    return is_big_endian ? number : __builtin_bswap32(number);
  }
  [[nodiscard]] bool stand_at(ByteSpan bytes, std::size_t at) const {
    return big_endian(bytes, at) == first && big_endian(bytes, at + 4) == second;
  }
};

// What a log of this page size says of its frames.
class Frames {
 public:
  Frames(ByteSpan log, std::size_t page) : log_(log), bytes_(kFrameHeadBytes + page) {}

  [[nodiscard]] std::size_t count() const { return (log_.size() - kHeadBytes) / bytes_; }
  [[nodiscard]] ByteSpan frame(std::size_t i) const {
    return log_.subspan(kHeadBytes + i * bytes_, bytes_);
  }
  // Frames of an earlier round of the log stand behind the end, with other salts.
  [[nodiscard]] bool has_salts(std::size_t i, ByteSpan salts) const {
    return big_endian(frame(i), 8) == big_endian(salts, 0) &&
           big_endian(frame(i), 12) == big_endian(salts, 4);
  }
  [[nodiscard]] std::uint64_t transactions(std::size_t from, ByteSpan salts) const {
    std::uint64_t ends = 0;
    for (std::size_t i = from; i < count(); ++i)
      if (has_salts(i, salts) && big_endian(frame(i), 4) != 0) ++ends;
    return ends;
  }

 private:
  ByteSpan log_;
  std::size_t bytes_;
};

std::optional<LogDamage> damage_at(const Frames& frames, std::size_t first, std::uint64_t number,
                                   ByteSpan salts) {
  const std::uint64_t transactions = frames.transactions(first, salts);
  if (transactions < 2) return std::nullopt;
  return LogDamage{number, transactions};
}

}  // namespace

std::optional<LogDamage> find_log_damage(ByteSpan log) {
  if (log.size() < kHeadBytes) return std::nullopt;
  const std::uint32_t magic = big_endian(log, 0);
  const std::uint32_t page = big_endian(log, 8);
  const bool is_big_endian = (magic & 1) != 0;
  Sums sums;
  sums.add(log.first(24), is_big_endian);
  // 4 KiB is what we make; a head that does not check out may say anything.
  const bool head_is_good =
      (magic & ~1U) == kMagic && page >= 512 && page <= 65'536 && sums.stand_at(log, 24);
  const Frames frames(log, head_is_good ? page : 4096);
  if (frames.count() == 0) return std::nullopt;
  if (!head_is_good) return damage_at(frames, 0, 0, frames.frame(0).subspan(8, 8));
  const ByteSpan salts = log.subspan(16, 8);
  for (std::size_t i = 0; i < frames.count(); ++i) {
    const ByteSpan frame = frames.frame(i);
    sums.add(frame.first(kFrameChecked), is_big_endian);
    sums.add(frame.subspan(kFrameHeadBytes), is_big_endian);
    if (!frames.has_salts(i, salts) || !sums.stand_at(frame, 16))
      return damage_at(frames, i, i + 1, salts);
  }
  return std::nullopt;
}

Result<std::optional<LogDamage>> check_log_of(const std::filesystem::path& database) {
  const std::filesystem::path path = database.string() + "-wal";
  if (!std::filesystem::exists(path)) return std::nullopt;
  const std::vector<std::uint8_t> log = WEIR_TRY(os::read_file(path, kLogBytes));
  return find_log_damage(log);
}

}  // namespace weir::store
