#include "stepd/output_log.hpp"

#include <algorithm>

#include <fcntl.h>
#include <unistd.h>

#include "base/limits.hpp"
#include "formats/step_protocol.hpp"

namespace weir::stepd {

void OutputLog::open_piece() {
  const std::uint64_t piece = written_ / limits::kOutputPieceBytes;
  if (piece >= 2) ::unlink(output_file(rank_, piece - 2).c_str());
  piece_ = os::Descriptor(
      ::open(output_file(rank_, piece).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
}

void OutputLog::append(ByteSpan bytes) {
  while (!bytes.empty()) {
    const std::uint64_t at = written_ % limits::kOutputPieceBytes;
    if (at == 0) open_piece();
    const auto part = bytes.first(static_cast<std::size_t>(
        std::min<std::uint64_t>(bytes.size(), limits::kOutputPieceBytes - at)));
    // At its place: bytes that a full disk refused stay a hole, what follows is where it belongs.
    if (piece_.is_open())
      static_cast<void>(::pwrite(piece_.get(), part.data(), part.size(), static_cast<off_t>(at)) <
                        0);
    written_ += part.size();
    bytes = bytes.subspan(part.size());
  }
}

}  // namespace weir::stepd
