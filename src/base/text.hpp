// Small readers of text: numbers with a whole-text check, fields, and names in natural order.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

// The whole text as a number, or nothing: no blanks, no sign for unsigned, no leftovers.
std::optional<std::uint64_t> parse_unsigned(std::string_view text, int base = 10);
std::optional<double> parse_double(std::string_view text);

std::string_view trim(std::string_view text);

// "a,b,,c" -> {"a","b","","c"}; an empty text gives one empty field.
std::vector<std::string_view> split(std::string_view text, char separator);

// Order of names as people count: node2 before node10; equal numbers compare by text.
std::strong_ordering natural_compare(std::string_view a, std::string_view b);

// A text made safe to show in a message: control bytes as \xNN, cut to `limit` characters.
std::string quoted(std::string_view text, std::size_t limit = 60);

// The known word that `word` most likely stands for: the nearest by edit distance if at most a
// third of it differs, the first of equals; empty if none is that near. For "did you mean".
std::string_view closest(std::string_view word, std::span<const std::string_view> known);

// 1234567 -> "1,234,567"
std::string with_thousands(std::uint64_t number);

}  // namespace weir
