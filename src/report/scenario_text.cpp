#include "report/scenario_text.hpp"

#include <fmt/format.h>

namespace weir::report {

std::string scenario_text(std::string_view file, const ScenarioCase& one,
                          const lab::ScenarioResult& result) {
  const std::string source = one.source.empty() ? "" : fmt::format("  ({})", one.source);
  if (result.failures.empty()) return fmt::format("ok    {}{}\n", one.name, source);
  std::string text = fmt::format("FAIL  {}{}\n", one.name, source);
  for (const lab::ScenarioFailure& failure : result.failures) {
    text += fmt::format("      {}:{}: {}\n", file, failure.line, failure.what);
    if (failure.expected.empty() && failure.found.empty()) continue;
    text += fmt::format("        expected  {}\n        found     {}\n", failure.expected,
                        failure.found);
  }
  return text;
}

}  // namespace weir::report
