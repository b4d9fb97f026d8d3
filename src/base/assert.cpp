#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace weir {

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "weir: invariant broken: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace weir
