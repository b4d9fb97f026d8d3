#include "model/reason.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"

namespace weir {
namespace {

// 46 thousandths as 0.046.
double from_milli(std::uint64_t milli) { return static_cast<double>(milli) / 1000; }

std::string share_sentence(const Reason& reason) {
  if (reason.best >= reason.asked)
    return fmt::format("needs {:.10g} of a GPU; the nodes that have it lack CPUs or memory now",
                       from_milli(reason.asked));
  return fmt::format("needs {:.10g} of a GPU; the most that is free of one is {:.10g} now",
                     from_milli(reason.asked), from_milli(reason.best));
}

}  // namespace

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
      return fmt::format("asks {:.10g} CPUs a node; the largest eligible node has {:.10g}",
                         from_milli(reason.asked), from_milli(reason.best));
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
    case ReasonCode::kBusyShare: return share_sentence(reason);
  }
  WEIR_ASSERT(false && "every ReasonCode has a sentence");
}

}  // namespace weir
