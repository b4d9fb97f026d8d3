// Any bytes as what an HTTP client sends: requests or a refusal, the same however the bytes are
// cut; each target keeps its promises and finds a route or none.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.hpp"
#include "net/parser.hpp"
#include "net/router.hpp"

namespace {

using namespace weir::net;  // NOLINT(google-build-using-namespace)

struct Seen {
  std::vector<std::string> requests;
  unsigned failure = 0;
};

constexpr MessageLimits kLimits{512, 256};

// Feeds pieces of `piece` bytes.
Seen read_all(std::string_view bytes, std::size_t piece) {
  Seen seen;
  RequestParser parser(kLimits);
  while (seen.failure == 0) {
    const std::string_view next = bytes.substr(0, piece);
    bytes.remove_prefix(next.size());
    parser.add(next);
    Parsed parsed = parser.parse();
    for (; parsed == Parsed::kMessage; parsed = parser.parse()) {
      const Request request = parser.take();
      WEIR_ASSERT(request.body.size() <= kLimits.body_bytes);
      seen.requests.push_back(request.method + " " + request.target.text + "\n" + request.body);
    }
    if (parsed == Parsed::kFailed) seen.failure = parser.failure().status;
    if (next.empty()) break;
  }
  return seen;
}

void check_target(std::string_view text) {
  static const Router kRouter = [] {
    Router router;
    router.add("GET", "/v1/jobs/{id}", 1);
    router.add("GET", "/v1/{kind}/finished", 2);
    router.add("POST", "/v1/jobs", 3);
    return router;
  }();
  const auto target = parse_target(text);
  if (!target) return;
  std::string again = "/";
  for (std::size_t i = 0; i < target->segments.size(); ++i)
    again += (i == 0 ? "" : "/") + percent_encode(target->segments[i]);
  const auto second = parse_target(again);
  // An empty last segment is no segment; written once more it would go.
  if (target->segments.empty() || !target->segments.back().empty())
    WEIR_ASSERT(second && second->segments == target->segments);
  const Route route = kRouter.find("GET", *target);
  WEIR_ASSERT(route.status == 200 || route.status == 404 || route.status == 405);
  WEIR_ASSERT((route.status == 200) == (route.handler != 0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_target(bytes);
  const Seen whole = read_all(bytes, size + 1);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}}) {
    const Seen cut = read_all(bytes, piece);
    // Where a limit is met first depends on the cuts, and whether a line that ends without CR is
    // refused or waited for; requests that came before do not.
    WEIR_ASSERT(cut.requests == whole.requests);
  }
  return 0;
}
