// JSON text as the plain values of toml.hpp, so that one reader of fields serves both. A null in an
// object is as if its key were not there.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "formats/toml.hpp"

namespace weir {

// The lines of the values are 0. Errors: "line N: what is wrong"; no JSON, a key twice in
// one object, a null in a list, deeper than 32, longer than limits::kRequestBytes (kLimit).
Result<TomlValue> parse_json(std::string_view text);

}  // namespace weir
