#include "report/format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/time.hpp"

namespace weir::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Bytes of the UTF-8 character that the first byte announces; 0 where no character starts so.
std::size_t announced_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  if (first >= 0xF0 && first <= 0xF4) return 4;
  return 0;
}

// Bytes of the valid character at the front of `text`, or 0.
std::size_t valid_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = announced_length(first);
  if (length == 0 || length > text.size()) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length),
                   is_continuation))
    return 0;
  if (length >= 3) {
    // Overlong forms, surrogates and what lies beyond U+10FFFF.
    const auto second = static_cast<unsigned char>(text[1]);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
      return 0;
  }
  return length;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = valid_length(text);
    const std::size_t taken = std::max<std::size_t>(length, 1);
    if (length == 0 || is_control(text.substr(0, length)))
      out += kReplacement;
    else
      out += text.substr(0, length);
    text.remove_prefix(taken);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (display_width(text) <= limit || limit == 0) return std::string(text);
  std::size_t end = 0;
  for (std::size_t kept = 0; end < text.size(); ++end) {
    if (is_continuation(text[end])) continue;
    if (++kept == limit) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string fixed(double number, int decimals) {
  if (!std::isfinite(number)) return "–";
  std::string digits = fmt::format("{:.{}f}", std::fabs(number), decimals);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t i = point; i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  const bool is_zero = digits.find_first_not_of("0.,") == std::string::npos;
  return number < 0 && !is_zero ? "-" + digits : digits;
}

std::string percent(double share) {
  const double value = share * 100;
  if (!std::isfinite(value)) return "–";
  if (value <= 0) return "0 %";
  if (value < 0.01) return "< 0.01 %";
  if (value < 0.995) return fmt::format("{:.2f} %", value);
  if (value < 9.95) return fmt::format("{:.1f} %", value);
  if (value >= 99.5 && value < 100)
    return fmt::format("{:.1f} %", std::floor(value * 10) / 10);  // 99.96 is not 100
  return fixed(value, 0) + " %";
}

std::string times(double ratio) { return fixed(ratio, ratio < 99.95 ? 1 : 0) + " ×"; }

std::string humane_seconds(double seconds) {
  if (!std::isfinite(seconds) || std::fabs(seconds) > 9e12) return "–";
  return seconds == 0 ? "0 s" : format_duration(from_seconds(seconds));
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", with_thousands(number), noun, number == 1 ? "" : "s");
}

}  // namespace weir::report
