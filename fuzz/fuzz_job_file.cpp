// Any bytes as a job file: an error that names the file, or jobs that every job must be like and
// that survive being written and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "formats/job_file.hpp"
#include "model/job.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  JobFileOptions options;
  options.site_rails = 0xff;
  options.most_jobs = 100;
  const auto trace =
      parse_job_file({reinterpret_cast<const char*>(data), size}, "jobs.toml", options);
  if (!trace) {
    WEIR_ASSERT(trace.error().message.starts_with("jobs.toml:"));
    return 0;
  }
  for (const TraceJob& job : *trace) WEIR_ASSERT(job.gpus > 0 || check(job.job));
  const auto again = parse_job_file(job_file_text(*trace), "again.toml", options);
  WEIR_ASSERT(again && *again == *trace);
  return 0;
}
