// Typed readers of the values in a job file. Each error says what was expected and what was found;
// file, line and field are put in front by the caller.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "formats/toml.hpp"
#include "model/grade.hpp"
#include "model/locality.hpp"

namespace weir::job_fields {

Result<std::string> text(const TomlValue& value);
// A list of texts, sorted, each once.
Result<std::vector<std::string>> texts(const TomlValue& value);

// A whole number from `lowest` to `highest`.
Result<std::uint64_t> number(const TomlValue& value, std::uint64_t lowest, std::uint64_t highest);

// A number from `lowest` to `highest` thousandths, whole or with up to three decimals.
Result<std::uint32_t> thousandths(const TomlValue& value, std::uint32_t lowest,
                                  std::uint32_t highest);

// A text or a list of texts.
Result<std::vector<std::string>> text_or_texts(const TomlValue& value);

// "90s", "1.5h" (parse_duration) or a bare number of seconds.
Result<Duration> duration(const TomlValue& value);

// A date, as TOML's own or as text (parse_instant), or a duration from 1970-01-01.
Result<Instant> instant(const TomlValue& value);

// "64GiB", "512MiB" or "2TiB" as MiB; no fractions, no bare numbers.
Result<std::uint32_t> memory_mib(const TomlValue& value);

// By the names of to_text().
Result<Level> level(const TomlValue& value);
Result<Grade> grade(const TomlValue& value);

}  // namespace weir::job_fields
