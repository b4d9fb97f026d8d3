// Any bytes as what agent and stepd say to each other and leave on the disk: values or an error,
// and what was read is read again from its own bytes. The first byte says which reader.
#include <cstddef>
#include <cstdint>

#include "base/assert.hpp"
#include "formats/step_protocol.hpp"

namespace {

using namespace weir;

void read_conversation(ByteSpan bytes) {
  stepd::FrameReader reader;
  // In two pieces, so that a frame may end in the second.
  const std::size_t half = bytes.size() / 2;
  for (const ByteSpan piece : {bytes.first(half), bytes.subspan(half)}) {
    reader.room().insert(reader.room().end(), piece.begin(), piece.end());
    for (;;) {
      const auto payload = reader.next();
      if (!payload) return;
      if (!*payload) break;
      static_cast<void>(stepd::parse_request(**payload));
      static_cast<void>(stepd::parse_answer(**payload));
    }
  }
}

template <typename Parse>
void read_payload(ByteSpan payload, Parse parse) {
  const auto message = parse(payload);
  if (!message) return;
  const std::vector<std::uint8_t> bytes = stepd::to_frame(*message);
  const auto again = parse(ByteSpan(bytes).subspan(8));
  WEIR_ASSERT(again && *again == *message);
}

void read_record(ByteSpan file) {
  const stepd::Records read = stepd::parse_records(file);
  WEIR_ASSERT(read.good_bytes <= file.size());
  WEIR_ASSERT(stepd::parse_records(file.first(read.good_bytes)).records == read.records);
}

void read_spec(ByteSpan bytes) {
  // The check would keep most inputs from the reader behind it.
  for (const auto& file :
       {std::vector<std::uint8_t>(bytes.begin(), bytes.end()), stepd::frame(bytes)})
    if (const auto spec = stepd::parse_spec(file)) {
      const auto again = stepd::parse_spec(stepd::to_frame(*spec));
      WEIR_ASSERT(again && *again == *spec);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteSpan rest(data + 1, size - 1);
  switch (data[0] % 5) {
    case 0: read_conversation(rest); break;
    case 1: read_payload(rest, stepd::parse_request); break;
    case 2: read_payload(rest, stepd::parse_answer); break;
    case 3: read_record(rest); break;
    default: read_spec(rest); break;
  }
  return 0;
}
