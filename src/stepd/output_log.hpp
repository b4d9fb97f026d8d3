// OutputLog: what a task writes, kept in pieces of bounded size in the step's folder; of all it
// ever wrote, the last one or two pieces are there (limits::kOutputPieceBytes).
#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "os/descriptor.hpp"

namespace weir::stepd {

class OutputLog {
 public:
  explicit OutputLog(std::uint32_t rank) : rank_(rank) {}

  // Into the current folder. A disk that refuses loses the bytes, never the task.
  void append(ByteSpan bytes);

 private:
  void open_piece();

  std::uint32_t rank_;
  std::uint64_t written_ = 0;  // since the task began
  os::Descriptor piece_;
};

}  // namespace weir::stepd
