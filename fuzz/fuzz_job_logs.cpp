// Any bytes as lines of a job log, of the format that the first byte chooses: an error, or jobs
// that keep the promises of all readers.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/gpu_log.hpp"
#include "formats/pai.hpp"
#include "formats/philly_json.hpp"
#include "formats/sia.hpp"
#include "formats/swf.hpp"

namespace weir {
namespace {

void check_jobs(const Result<Trace>& trace) {
  if (!trace) {
    WEIR_ASSERT(!trace.error().message.empty());
    return;
  }
  for (const TraceJob& job : *trace) {
    WEIR_ASSERT(job.gpus <= limits::kGpus);
    WEIR_ASSERT(job.gpus >= 1 || job.job.gang.per_node.gpu_milli > 0);
    WEIR_ASSERT(job.runtime >= Duration(0) && job.runtime <= limits::kLongestDuration);
    WEIR_ASSERT(job.job.estimate >= Duration(0) && job.job.estimate <= limits::kLongestDuration);
  }
}

template <typename Reader>
void read(std::string_view text) {
  Reader reader;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n'))
    if (!reader.line(line, ++number)) return;
  check_jobs(reader.finish());
}

// In two pieces, cut where the second byte says.
void read_json(std::string_view text) {
  PhillyJsonReader reader;
  const std::size_t cut =
      text.empty() ? 0 : static_cast<std::uint8_t>(text.front()) % (text.size() + 1);
  if (!reader.bytes(text.substr(0, cut)) || !reader.bytes(text.substr(cut))) return;
  check_jobs(reader.finish());
}

}  // namespace
}  // namespace weir

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'h': read<HeliosReader>(text); break;
    case 'a': read<AcmeReader>(text); break;
    case 'p': read<PaiReader>(text); break;
    case 's': read<SiaReader>(text); break;
    case 'w': read<SwfReader>(text); break;
    default: read_json(text); break;
  }
  return 0;
}
