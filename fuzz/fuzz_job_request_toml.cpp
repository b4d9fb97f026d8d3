// Any bytes as a file of job requests: an error that names the file, or requests that JSON says the
// same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "formats/job_request.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  const auto requests =
      parse_job_requests_toml({reinterpret_cast<const char*>(data), size}, "job.toml");
  if (!requests) {
    WEIR_ASSERT(requests.error().message.starts_with("job.toml:"));
    return 0;
  }
  for (const JobRequest& request : *requests) {
    const auto again = parse_job_request_json(job_request_json(request));
    WEIR_ASSERT(again && *again == request);
  }
  return 0;
}
