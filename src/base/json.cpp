#include "base/json.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace weir {

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
  for (const char c : text) {
    switch (c) {
      case '"': text_ += "\\\""; break;
      case '\\': text_ += "\\\\"; break;
      case '\n': text_ += "\\n"; break;
      case '\t': text_ += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          text_ += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
          text_ += c;
    }
  }
  text_ += '"';
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
