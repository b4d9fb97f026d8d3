// What `weir fabric diff` prints: a heading and a line for each difference, or that there is none.
#pragma once

#include <span>
#include <string>

#include "fabric/difference.hpp"

namespace weir::report {

// `before` and `after` name the two sources.
std::string difference_text(std::span<const fabric::Difference> differences,
                            const std::string& before, const std::string& after);

// One JSON object: the sources, and each difference with what, subject, before, after.
std::string difference_json(std::span<const fabric::Difference> differences,
                            const std::string& before, const std::string& after);

}  // namespace weir::report
