// Any bytes as lines of a Venus log: an error or jobs that keep the promises of the reader, no
// more.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/venus.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  VenusReader reader;
  std::size_t number = 0;
  for (const std::string_view line : split({reinterpret_cast<const char*>(data), size}, '\n'))
    if (!reader.line(line, ++number)) return 0;
  const auto trace = reader.finish();
  if (!trace) return 0;
  for (const TraceJob& job : *trace) {
    WEIR_ASSERT(job.gpus >= 1 && job.gpus <= limits::kGpus);
    WEIR_ASSERT(job.runtime >= Duration(0) && job.runtime <= limits::kLongestDuration);
    WEIR_ASSERT(job.job.estimate == job.runtime);
  }
  return 0;
}
