// The path of a task's output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/step.hpp"

namespace weir::engine {

struct OutputNames {
  StepId step;
  std::uint32_t rank = 0;
  std::string_view node;
  std::string_view user;
};

// The pattern with %j job, %a attempt, %t rank, %n node, %u user and %% put in, made absolute by
// the directory; any other % stays. Empty for an empty pattern.
std::string output_path(std::string_view pattern, std::string_view directory,
                        const OutputNames& names);

}  // namespace weir::engine
