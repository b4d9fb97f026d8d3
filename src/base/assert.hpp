// Assertions for invariants, on in every build; never for input (input gets an Error).
#pragma once

namespace weir {

// Prints the broken invariant with its place to standard error and aborts.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace weir

#define WEIR_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::weir::assertion_failed(#condition, __FILE__, __LINE__))
