// Any bytes as a scenario file: an error that names file and line, or cases that run to an end.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "formats/scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  const auto cases = parse_scenarios({reinterpret_cast<const char*>(data), size}, "x.scenario");
  if (!cases) {
    WEIR_ASSERT(cases.error().message.starts_with("x.scenario:"));
    return 0;
  }
  WEIR_ASSERT(!cases->empty());
  for (const ScenarioCase& one : *cases) {
    WEIR_ASSERT(!one.name.empty());
    for (const ScenarioStep& step : one.steps) WEIR_ASSERT(step.line > one.line);
  }
  return 0;
}
