// The public data set that some tests read: $WEIR_TEST_DATA, else shared/data beside the checkout.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace weir::testing {

inline std::filesystem::path data_file(const std::string& name) {
  const char* root = std::getenv("WEIR_TEST_DATA");
  return std::filesystem::path(root != nullptr ? root : WEIR_DEFAULT_TEST_DATA) / name;
}

}  // namespace weir::testing

// Skips the test, saying why, where the data set is not on this machine.
#define WEIR_REQUIRE_DATA(path)                                                     \
  do {                                                                              \
    if (!std::filesystem::exists(path))                                             \
      GTEST_SKIP() << (path) << " is not here: set WEIR_TEST_DATA to the data set"; \
  } while (false)
