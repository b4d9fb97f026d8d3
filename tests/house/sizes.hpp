// Rules `long-file`, `long-header` and `long-function`: a function fits a screen.
#pragma once

#include <cstddef>
#include <vector>

#include "house/finding.hpp"
#include "house/source_tree.hpp"

namespace weir::house {

inline constexpr std::size_t kFileLines = 400;
inline constexpr std::size_t kHeaderLines = 200;
inline constexpr std::size_t kFunctionLines = 70;

struct FunctionExtent {
  std::size_t first_line = 0;  // of its signature
  std::size_t last_line = 0;   // of its closing brace
};

// The functions of a file that clang-format has laid out; lambdas and local classes count as part
// of the function around them.
std::vector<FunctionExtent> functions_of(const SourceFile& file);

Findings check_sizes(const SourceFile& file);

}  // namespace weir::house
