// JSON text as the plain values of toml.hpp, so that one reader of fields serves both. A null in an
// object is as if its key were not there.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "formats/toml.hpp"

namespace weir {

// The lines of the values are 0. Errors: "line N: what is wrong"; no JSON, a key twice in
// one object, a null in a list, deeper than 32, longer than `most_bytes` (kLimit).
Result<TomlValue> parse_json(std::string_view text, std::size_t most_bytes = limits::kRequestBytes);

}  // namespace weir
