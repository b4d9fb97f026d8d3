// Any bytes as a job request in JSON: an error, or a request that survives being written and read
// again, and whose submission, if there is one, every job must be like.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "formats/job_request.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  const auto request = parse_job_request_json({reinterpret_cast<const char*>(data), size});
  if (!request) {
    WEIR_ASSERT(!request.error().message.empty());
    return 0;
  }
  const auto again = parse_job_request_json(job_request_json(*request));
  WEIR_ASSERT(again && *again == *request);
  const auto submission = make_submission(*request, {"ada", 1000, 1000, false}, Instant(0));
  if (submission) WEIR_ASSERT(check(submission->job) && check(*submission->work));
  return 0;
}
