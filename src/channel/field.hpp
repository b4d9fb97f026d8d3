// Checks of single fields of a message, with errors that name the field by its whole path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"

namespace weir::channel {

// Where a field stands. Made on the stack on the way down; becomes a text only in an error.
struct Field {
  static constexpr std::size_t kNoIndex = SIZE_MAX;

  std::string_view name;
  const Field* above = nullptr;
  std::size_t index = kNoIndex;

  // "hello.steps[3].phase"
  [[nodiscard]] std::string text() const;
};

Status expect_most(std::size_t count, std::size_t most, const Field& field);
Status expect_range(std::uint64_t value, std::uint64_t least, std::uint64_t most,
                    const Field& field);
// 0 to limits::kLongestDuration.
Result<Duration> read_duration(std::int64_t microseconds, const Field& field);
Result<std::string> read_text(const std::string& text, std::size_t most, const Field& field);
// One to limits::kNameBytes bytes.
Result<std::string> read_name(const std::string& text, const Field& field);

// The enumerator of a number on the wire (one more than here; 0 stands for none).
template <typename Enum>
Result<Enum> read_choice(int number, std::uint32_t count, const Field& field) {
  if (number < 1) return std::unexpected(expect_range(0, 1, count, field).error());
  WEIR_TRY(expect_range(static_cast<std::uint64_t>(number), 1, count, field));
  return static_cast<Enum>(number - 1);
}

struct ListLimits {
  std::size_t count = 0;
  std::size_t bytes = 0;  // of each
};

// `List` holds texts.
template <typename List>
Result<std::vector<std::string>> read_texts(const List& from, ListLimits limits,
                                            const Field& field) {
  const auto count = static_cast<std::size_t>(from.size());
  WEIR_TRY(expect_most(count, limits.count, field));
  std::vector<std::string> texts;
  texts.reserve(count);
  for (const std::string& text : from)
    texts.push_back(
        WEIR_TRY(read_text(text, limits.bytes, {field.name, field.above, texts.size()})));
  return texts;
}

}  // namespace weir::channel
