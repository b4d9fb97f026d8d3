// TOML 1.0 text as plain values with their lines, so that nothing but toml.cpp knows toml++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"

namespace weir {

struct TomlValue;
struct TomlEntry;

using TomlArray = std::vector<TomlValue>;

struct TomlTable {
  std::vector<TomlEntry> entries;  // in the order of the text

  // Null where the key is not there.
  [[nodiscard]] const TomlValue* find(std::string_view key) const;
};

struct TomlValue {
  std::size_t line = 0;
  // Instant is a date, or a date and time, without a zone.
  std::variant<bool, std::int64_t, double, std::string, Instant, TomlArray, TomlTable> content;
};

struct TomlEntry {
  std::string key;
  std::size_t line = 0;
  TomlValue value;
};

// `file` stands in messages only: "file:line: what is wrong". Errors: the text is no TOML, or uses
// what no value above can hold (a time without a date, a date with a zone).
Result<TomlTable> parse_toml(std::string_view text, std::string_view file);

// What a value is, for "expected …, found …": `5`, `"text"`, `a list`.
std::string describe(const TomlValue& value);

}  // namespace weir
