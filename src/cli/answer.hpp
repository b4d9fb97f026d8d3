// Fields of what the controller answers. What is not there, null or of another kind reads as
// nothing, so that an older command understands a newer controller.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "formats/toml.hpp"

namespace weir::cli {

// Error: no JSON object (kIo).
Result<TomlTable> parse_answer(std::string_view body);

// Safe to print.
std::string text_of(const TomlTable& table, std::string_view key);
std::optional<double> number_of(const TomlTable& table, std::string_view key);
std::optional<std::int64_t> whole_of(const TomlTable& table, std::string_view key);
bool is_true(const TomlTable& table, std::string_view key);
std::optional<Instant> time_of(const TomlTable& table, std::string_view key);
// Null: not there.
const TomlTable* table_of(const TomlTable& table, std::string_view key);
std::vector<const TomlTable*> tables_of(const TomlTable& table, std::string_view key);
// Texts and numbers of a list, safe to print.
std::vector<std::string> words_of(const TomlTable& table, std::string_view key);

// 8 -> "8", 0.25 -> "0.25"
std::string short_number(double number);

// The "id" of an answer. Error: there is none (kIo).
Result<std::uint64_t> id_of(std::string_view body);

}  // namespace weir::cli
