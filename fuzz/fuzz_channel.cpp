// Any bytes as a message of either end of the channel: refused with a sentence, skipped, or a value
// that survives being written and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "channel/convert.hpp"

namespace {

template <typename Read>
void check(std::string_view bytes, Read read) {
  const auto message = read(bytes);
  if (!message) {
    WEIR_ASSERT(!message.error().message.empty());
    return;
  }
  if (!message->has_value()) return;
  const auto again = read(weir::channel::bytes_of(**message));
  WEIR_ASSERT(again && *again == *message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(bytes, [](std::string_view each) { return weir::channel::agent_message(each); });
  check(bytes, [](std::string_view each) { return weir::channel::controller_message(each); });
  return 0;
}
