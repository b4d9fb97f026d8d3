// The fields of the statements of a scenario file: key = value, as in an inline table of TOML.
#pragma once

#include "base/result.hpp"
#include "formats/scenario.hpp"
#include "formats/toml.hpp"

namespace weir::scenario_fields {

// Each reads all fields of a table into a value. The error names the field; file and line are put
// in front by the caller.
Status read(ScenarioSettings& settings, const TomlTable& table);
Status read(ScenarioNodes& nodes, const TomlTable& table);
Status read(ScenarioSwitch& one, const TomlTable& table);
Status read(Expectation& expectation, const TomlTable& table);

}  // namespace weir::scenario_fields
