// Reason: the structured answer to "why" — why pending, why refused. Data first, one sentence from
// it.
#pragma once

#include <cstdint>
#include <string>

#include "model/locality.hpp"

namespace weir {

enum class ReasonCode : std::uint8_t {
  kNone,
  // Hard limits: no state of this site lets the job start.
  kNoPartition,    // no node belongs to `name`
  kNoGpuModel,     // no node has GPUs of model `name` (several joined by |)
  kNoFeatures,     // no node has all of `name`
  kGpusPerNode,    // asked `asked` GPUs a node, the largest eligible node has `best`
  kCpusPerNode,    // thousandths
  kMemoryPerNode,  // MiB
  kRails,          // no eligible node has the rails (bits `asked`) linked
  kNodeCount,      // asked `asked` nodes, `best` exist in the best domain of `level`
  kSegments,       // asked `asked` segments, `best` fit in the best domain of `level`
  kLevelUnknown,   // the site has no domains of `level`
  // Soft: it starts when something changes.
  kGrade,     // nodes exist, but fewer than asked are graded `name` or better: `best` of `asked`
  kBusy,      // asked `asked` nodes, `best` are free now in the best domain of `level`
  kBusyTail,  // the whole nodes fit, the remainder of `asked` GPUs finds no node
  kBusySegments,  // asked `asked` segments, `best` fit now in the best domain of `level`
  kBehind,        // waits behind job `asked`, which is first in line
  kBusyShare,     // asked `asked` thousandths of a GPU, the most that is free of one is `best`
};
inline constexpr std::uint32_t kReasonCodes = 17;

struct Reason {
  ReasonCode code = ReasonCode::kNone;
  Level level = Level::kFabric;
  std::uint64_t asked = 0;
  std::uint64_t best = 0;
  std::string name;

  [[nodiscard]] bool is_hard() const {
    return code >= ReasonCode::kNoPartition && code <= ReasonCode::kLevelUnknown;
  }
  friend bool operator==(const Reason&, const Reason&) = default;
};

// One sentence with numbers, also what would let it start.
std::string sentence(const Reason& reason);

}  // namespace weir
