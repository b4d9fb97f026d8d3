// The public data set: $WEIR_TEST_DATA, else shared/data beside the checkout.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "formats/philly.hpp"
#include "os/lines.hpp"

namespace weir::bench {

inline std::filesystem::path data_file(const std::string& name) {
  const char* root = std::getenv("WEIR_TEST_DATA");
  return std::filesystem::path(root != nullptr ? root : WEIR_DEFAULT_TEST_DATA) / name;
}

inline Result<Trace> read_philly(TraceFilter filter) {
  PhillyReader reader(std::move(filter));
  WEIR_TRY(os::for_each_line(
      data_file("traces/philly-2017/philly_jobs.csv.gz"),
      [&](std::string_view line, std::size_t number) { return reader.line(line, number); }));
  return reader.finish();
}

}  // namespace weir::bench
