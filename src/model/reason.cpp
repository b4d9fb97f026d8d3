#include "model/reason.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"

namespace weir {

std::string sentence(const Reason& reason) {
  const std::string_view level = to_text(reason.level);
  switch (reason.code) {
    case ReasonCode::kNone: return "nothing stands in its way";
    case ReasonCode::kNoPartition:
      return fmt::format("no node belongs to partition {}; name a partition of this site",
                         reason.name);
    case ReasonCode::kNoGpuModel:
      return fmt::format("no eligible node has GPUs of model {}", reason.name);
    case ReasonCode::kNoFeatures:
      return fmt::format("no eligible node has the features {}", reason.name);
    case ReasonCode::kGpusPerNode:
      return fmt::format("asks {} GPUs a node; the largest eligible node has {}", reason.asked,
                         reason.best);
    case ReasonCode::kCpusPerNode:
      return fmt::format("asks {} CPUs a node; the largest eligible node has {}", reason.asked,
                         reason.best);
    case ReasonCode::kMemoryPerNode:
      return fmt::format("asks {} MiB of memory a node; the largest eligible node has {} MiB",
                         reason.asked, reason.best);
    case ReasonCode::kGrade:
      return fmt::format("needs {} nodes graded {} or better; the best {} has {}", reason.asked,
                         reason.name, level, reason.best);
    case ReasonCode::kRails:
      return fmt::format("no eligible node has all the asked rails linked (mask 0x{:x})",
                         reason.asked);
    case ReasonCode::kNodeCount:
      return fmt::format("asks {} nodes; the largest {} has {} eligible ones", reason.asked, level,
                         reason.best);
    case ReasonCode::kSegments:
      return fmt::format("asks {} segments; the largest {} holds {}", reason.asked, level,
                         reason.best);
    case ReasonCode::kLevelUnknown:
      return fmt::format("this site has no level {}; the wish cannot be met", level);
    case ReasonCode::kBusy:
      return fmt::format(
          "needs {} free nodes in one {}; the best has {} now: {} more would let it "
          "start",
          reason.asked, level, reason.best, reason.asked - reason.best);
    case ReasonCode::kBusyTail:
      return fmt::format("its whole nodes fit, but no further node has {} free GPUs for the rest",
                         reason.asked);
    case ReasonCode::kBusySegments:
      return fmt::format("needs {} segments in one {}; the best holds {} now", reason.asked, level,
                         reason.best);
    case ReasonCode::kBehind:
      return fmt::format("waits its turn behind job {}, which is first in line", reason.asked);
  }
  WEIR_ASSERT(false && "every ReasonCode has a sentence");
}

}  // namespace weir
