// Any bytes as a journal: replay() and verify() give a state, or an error that says where.
#include <cstddef>
#include <cstdint>

#include "base/assert.hpp"
#include "core/replay.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  const ByteSpan journal(data, size);
  const auto state = core::replay(journal);
  const auto verification = core::verify(journal);
  if (state) {
    WEIR_ASSERT(state->pool().audit());
  } else {
    WEIR_ASSERT(!state.error().message.empty());
    // What cannot be folded cannot be planned again either, unless planning parts from it before.
    WEIR_ASSERT(!verification || verification->difference);
  }
  return 0;
}
