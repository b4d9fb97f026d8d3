// How commands report errors: one line on standard error, and the exit code that fits.
#pragma once

#include <cstdio>

#include <fmt/format.h>

#include "base/result.hpp"

namespace weir::cli {

// Prints "weir: MESSAGE"; 2 when the caller's input or arguments are to blame, else 1.
inline int fail(const Error& error) {
  fmt::print(stderr, "weir: {}\n", error.message);
  return error.code == Errc::kBadInput || error.code == Errc::kLimit ? 2 : 1;
}

}  // namespace weir::cli
