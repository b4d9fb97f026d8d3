#include "base/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace weir {
namespace {

// Stands for a byte that is no part of a character: no ASCII, so never taken for one.
constexpr char kNoCharacter = '\xff';

// The length of the UTF-8 sequence at the front of `text` (Unicode 15, table 3-7), 0 if there is
// none. REQUIRES: text is not empty.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const auto continues = [&](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at)
      if ((byte(at) & 0xc0) != 0x80) return false;
    return true;
  };
  const unsigned first = byte(0);
  const unsigned second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(1, 2) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    // No overlong forms, no surrogates.
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
    return continues(1, 3) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    // No overlong forms, nothing beyond U+10FFFF.
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
    return continues(1, 4) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string json_number(double number) {
  std::array<char, 64> buffer{};
  const double size = std::fabs(number);
  const auto style = number == 0 || (size >= 1e-5 && size < 1e15) ? std::chars_format::fixed
                                                                  : std::chars_format::general;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, style).ptr;
  return {buffer.data(), end};
}

void JsonWriter::begin(char open) {
  before_value();
  text_ += open;
  first_.push_back(true);
}

void JsonWriter::end(char close) {
  WEIR_ASSERT(!first_.empty() && !after_key_);
  const bool empty = first_.back();
  first_.pop_back();
  if (!empty) new_line();
  text_ += close;
}

void JsonWriter::key(std::string_view name) {
  WEIR_ASSERT(!after_key_);
  value(name);
  text_ += indent_ > 0 ? ": " : ":";
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
  before_value();
  text_ += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length > 1)
      text_ += text.substr(at, length);
    else
      add_character(length == 1 ? text[at] : kNoCharacter);
    at += std::max(length, std::size_t{1});
  }
  text_ += '"';
}

void JsonWriter::add_character(char c) {
  switch (c) {
    case '"': text_ += "\\\""; break;
    case '\\': text_ += "\\\\"; break;
    case '\n': text_ += "\\n"; break;
    case '\t': text_ += "\\t"; break;
    case kNoCharacter: text_ += "\\ufffd"; break;
    default:
      if (static_cast<unsigned char>(c) < 0x20)
        text_ += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
      else
        text_ += c;
  }
}

void JsonWriter::value(bool truth) {
  before_value();
  text_ += truth ? "true" : "false";
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  before_value();
  text_ += json_number(number);
}

void JsonWriter::null() {
  before_value();
  text_ += "null";
}

const std::string& JsonWriter::text() const {
  WEIR_ASSERT(first_.empty());
  return text_;
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (first_.empty()) return;
  if (!first_.back()) text_ += ',';
  first_.back() = false;
  new_line();
}

void JsonWriter::new_line() {
  if (indent_ == 0) return;
  text_ += '\n';
  text_.append(indent_ * first_.size(), ' ');
}

void JsonWriter::value_signed(std::int64_t number) {
  before_value();
  text_ += fmt::format("{}", number);
}

void JsonWriter::value_unsigned(std::uint64_t number) {
  before_value();
  text_ += fmt::format("{}", number);
}

}  // namespace weir
