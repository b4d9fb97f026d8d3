#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace weir {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The run of digits at `at`, without leading zeros; moves `at` past it.
std::string_view digits_at(std::string_view text, std::size_t& at) {
  std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  while (begin + 1 < at && text[begin] == '0') ++begin;
  return text.substr(begin, at - begin);
}

// Levenshtein's distance: changed, missing and extra characters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::uint64_t> parse_unsigned(std::string_view text, int base) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value, base);
  if (failure != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
}

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end || text.empty() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t cut = text.find(separator);
    fields.push_back(text.substr(0, cut));
    if (cut == std::string_view::npos) return fields;
    text.remove_prefix(cut + 1);
  }
}

std::strong_ordering natural_compare(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view x = digits_at(a, i);
      const std::string_view y = digits_at(b, j);
      if (x.size() != y.size()) return x.size() <=> y.size();
      if (const auto order = x.compare(y); order != 0) return order <=> 0;
    } else {
      if (a[i] != b[j]) return a[i] <=> b[j];
      ++i;
      ++j;
    }
  }
  if (const auto rest = (a.size() - i) <=> (b.size() - j); rest != 0) return rest;
  return a.compare(b) <=> 0;
}

std::string quoted(std::string_view text, std::size_t limit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\')
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    else
      out += c;
  }
  return out + (text.size() > limit ? "…\"" : "\"");
}

std::string_view closest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t least = word.size() / 3 + 1;
  if (word.size() > 64) return best;  // no word of ours; and the search would be quadratic in it
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string with_thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

}  // namespace weir
