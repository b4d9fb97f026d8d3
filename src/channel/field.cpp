#include "channel/field.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"

namespace weir::channel {

std::string Field::text() const {
  std::string text = above == nullptr ? std::string() : above->text() + ".";
  text += name;
  if (index != kNoIndex) text += fmt::format("[{}]", index);
  return text;
}

Status expect_most(std::size_t count, std::size_t most, const Field& field) {
  if (count <= most) return {};
  return over_limit(fmt::format("{}: {} items, expected at most {}", field.text(), count, most));
}

Status expect_range(std::uint64_t value, std::uint64_t least, std::uint64_t most,
                    const Field& field) {
  if (value >= least && value <= most) return {};
  return bad_input(fmt::format("{}: {}, expected {} to {}", field.text(), value, least, most));
}

Result<Duration> read_duration(std::int64_t microseconds, const Field& field) {
  if (microseconds >= 0 && microseconds <= limits::kLongestDuration.count())
    return Duration(microseconds);
  return bad_input(fmt::format("{}: {} µs, expected 0 to {}", field.text(), microseconds,
                               limits::kLongestDuration.count()));
}

Result<std::string> read_text(const std::string& text, std::size_t most, const Field& field) {
  if (text.size() <= most) return text;
  return over_limit(
      fmt::format("{}: {} bytes, expected at most {}", field.text(), text.size(), most));
}

Result<std::string> read_name(const std::string& text, const Field& field) {
  if (text.empty()) return bad_input(fmt::format("{}: empty, expected a name", field.text()));
  return read_text(text, limits::kNameBytes, field);
}

}  // namespace weir::channel
