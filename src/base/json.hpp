// JsonWriter: JSON text with keys in the order written, shortest exact doubles and no exponents
// where a person would not write one (0.71 stays 0.71). Bytes of a text that are no UTF-8 become
// U+FFFD, since JSON knows nothing else (RFC 8259, 8.1).
//
//   JsonWriter json;
//   json.begin_object();
//   json.field("jobs", 3);
//   json.list("tags", tags, [&](const std::string& tag) { json.value(tag); });
//   json.end_object();
//   json.text();
//
// REQUIRES: begin/end calls nest; a key() before each value inside an object.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

class JsonWriter {
 public:
  // indent 0 writes one line.
  explicit JsonWriter(unsigned indent = 2) : indent_(indent) {}

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }

  void key(std::string_view name);
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool truth);
  void value(double number);  // not finite: null
  void value(std::integral auto number) {
    if constexpr (std::signed_integral<decltype(number)>)
      value_signed(number);
    else
      value_unsigned(number);
  }
  void null();

  template <typename T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

  // "name": [ ], with what `write(item)` adds for each item.
  template <typename Items, typename Write>
  void list(std::string_view name, const Items& items, Write write) {
    key(name);
    begin_array();
    for (const auto& item : items) write(item);
    end_array();
  }

  // REQUIRES: every object and array is closed.
  [[nodiscard]] const std::string& text() const;

 private:
  void begin(char open);
  void end(char close);
  void before_value();
  void new_line();
  void add_character(char c);
  void value_signed(std::int64_t number);
  void value_unsigned(std::uint64_t number);

  unsigned indent_;
  std::string text_;
  std::vector<bool> first_;  // per open container: nothing written in it yet
  bool after_key_ = false;
};

// A double as the shortest text that reads back the same, without exponent in [1e-5, 1e15).
std::string json_number(double number);

}  // namespace weir
