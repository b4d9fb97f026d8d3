// TextCursor: reads one line from left to right; every `take` either moves on or leaves it be.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text.hpp"

namespace weir {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  void skip_blanks() {
    const std::size_t next = rest_.find_first_not_of(" \t");
    rest_.remove_prefix(next == std::string_view::npos ? rest_.size() : next);
  }
  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  // What stands before the next `stop`, which is taken too. Nothing when there is none.
  std::optional<std::string_view> take_until(char stop) {
    const std::size_t at = rest_.find(stop);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view taken = rest_.substr(0, at);
    rest_.remove_prefix(at + 1);
    return taken;
  }
  // The longest run without blanks.
  std::string_view take_word() {
    skip_blanks();
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    rest_.remove_prefix(word.size());
    return word;
  }
  // A run of decimal digits as a number.
  std::optional<std::uint64_t> take_number() {
    std::size_t end = 0;
    while (end < rest_.size() && rest_[end] >= '0' && rest_[end] <= '9') ++end;
    const auto number = parse_unsigned(rest_.substr(0, end));
    if (number) rest_.remove_prefix(end);
    return number;
  }

 private:
  std::string_view rest_;
};

}  // namespace weir
