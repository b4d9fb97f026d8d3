#include "formats/job_fields.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir::job_fields {
namespace {

std::unexpected<Error> expected(std::string_view what, const TomlValue& found) {
  return bad_input(fmt::format("expected {}, found {}", what, describe(found)));
}

// The value whose name the text is, of those numbered from 0 to `count`.
template <typename Enum>
Result<Enum> named(const TomlValue& value, std::uint32_t count) {
  std::vector<std::string_view> names;
  names.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) names.push_back(to_text(static_cast<Enum>(i)));
  if (const auto* word = std::get_if<std::string>(&value.content)) {
    const auto found = std::ranges::find(names, *word);
    if (found != names.end()) return static_cast<Enum>(found - names.begin());
  }
  return expected(fmt::format("one of {}", fmt::join(names, ", ")), value);
}

constexpr std::string_view kDurationForm = "a duration like \"90s\", \"15m\" or \"1.5h\"";

}  // namespace

Result<std::string> text(const TomlValue& value) {
  const auto* found = std::get_if<std::string>(&value.content);
  if (found == nullptr) return expected("a text in quotes", value);
  if (found->size() > limits::kNameBytes)
    return over_limit(
        fmt::format("expected at most {} bytes, found {}", limits::kNameBytes, found->size()));
  return *found;
}

Result<std::vector<std::string>> texts(const TomlValue& value) {
  const auto* list = std::get_if<TomlArray>(&value.content);
  if (list == nullptr) return expected("a list of texts like [\"a\", \"b\"]", value);
  std::vector<std::string> found;
  for (const TomlValue& item : *list) found.push_back(WEIR_TRY(text(item)));
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

Result<std::uint64_t> number(const TomlValue& value, std::uint64_t lowest, std::uint64_t highest) {
  const auto* found = std::get_if<std::int64_t>(&value.content);
  if (found == nullptr || std::cmp_less(*found, lowest) || std::cmp_greater(*found, highest))
    return expected(fmt::format("a whole number from {} to {}", lowest, highest), value);
  return static_cast<std::uint64_t>(*found);
}

Result<std::uint32_t> thousandths(const TomlValue& value, std::uint32_t lowest,
                                  std::uint32_t highest) {
  std::optional<double> milli;
  if (const auto* whole = std::get_if<std::int64_t>(&value.content))
    milli = static_cast<double>(*whole) * 1000;
  else if (const auto* real = std::get_if<double>(&value.content))
    milli = *real * 1000;
  // 0.046 is not exact in binary; what is further off has more decimals.
  if (milli && *milli >= lowest && *milli <= highest &&
      std::abs(*milli - std::round(*milli)) < 1e-6 * std::max(1.0, *milli))
    return static_cast<std::uint32_t>(std::llround(*milli));
  return expected(fmt::format("a number from {:.10g} to {:.10g} in thousandths", lowest / 1000.0,
                              highest / 1000.0),
                  value);
}

Result<std::vector<std::string>> text_or_texts(const TomlValue& value) {
  if (std::holds_alternative<TomlArray>(value.content)) return texts(value);
  std::string one = WEIR_TRY(text(value));
  if (one.empty()) return std::vector<std::string>{};
  return std::vector<std::string>{std::move(one)};
}

Result<Duration> duration(const TomlValue& value) {
  std::optional<double> bare;
  if (const auto* whole = std::get_if<std::int64_t>(&value.content))
    bare = static_cast<double>(*whole);
  else if (const auto* real = std::get_if<double>(&value.content))
    bare = *real;
  if (bare) {
    if (*bare >= 0 && *bare <= seconds(limits::kLongestDuration)) return from_seconds(*bare);
    return expected(fmt::format("seconds from 0 to {:.0f}", seconds(limits::kLongestDuration)),
                    value);
  }
  const auto* words = std::get_if<std::string>(&value.content);
  if (words == nullptr) return expected(kDurationForm, value);
  return parse_duration(*words);
}

Result<Instant> instant(const TomlValue& value) {
  if (const auto* date = std::get_if<Instant>(&value.content)) return *date;
  if (const auto* words = std::get_if<std::string>(&value.content)) {
    if (const auto date = parse_instant(*words)) return *date;
    if (!parse_duration(*words))
      return expected(fmt::format("a date YYYY-MM-DD HH:MM:SS or {}", kDurationForm), value);
  }
  return Instant() + WEIR_TRY(duration(value));
}

Result<std::uint32_t> memory_mib(const TomlValue& value) {
  struct Unit {
    std::string_view suffix;
    unsigned shift;
  };
  constexpr std::array<Unit, 3> kUnits{{{"MiB", 0}, {"GiB", 10}, {"TiB", 20}}};
  const auto* words = std::get_if<std::string>(&value.content);
  for (const Unit& unit : kUnits) {
    if (words == nullptr || !words->ends_with(unit.suffix)) continue;
    const std::string_view digits =
        std::string_view(*words).substr(0, words->size() - unit.suffix.size());
    const auto count = parse_unsigned(digits);
    if (count && *count <= (std::uint64_t{UINT32_MAX} >> unit.shift))
      return static_cast<std::uint32_t>(*count << unit.shift);
  }
  return expected("a size like \"64GiB\" (MiB, GiB or TiB, below 4096TiB)", value);
}

Result<Level> level(const TomlValue& value) { return named<Level>(value, kLevels); }

Result<Grade> grade(const TomlValue& value) { return named<Grade>(value, kGrades); }

}  // namespace weir::job_fields
