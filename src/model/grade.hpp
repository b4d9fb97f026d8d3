// Grade: how far a GPU, port or node can be trusted. Lower is better.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir {

enum class Grade : std::uint8_t { kGood, kWatch, kPoor, kBad };
inline constexpr std::uint32_t kGrades = 4;

constexpr std::string_view to_text(Grade grade) {
  constexpr std::string_view kNames[kGrades] = {"good", "watch", "poor", "bad"};
  return kNames[static_cast<std::size_t>(grade)];
}

}  // namespace weir
