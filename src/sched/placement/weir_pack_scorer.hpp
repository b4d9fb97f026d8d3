// WeirPackScorer ("weir-pack"): as `fgd`, but by a measure that looks ahead (fragments.hpp). FGD
// asks whether the next typical task still fits; on a node whose CPUs will be gone before its GPUs
// the first few fit and the rest never will, so this one leaves such nodes alone while others have
// the CPUs, and puts what needs few CPUs there.
#pragma once

#include "sched/placement/fgd_scorer.hpp"

namespace weir::sched {

class WeirPackScorer final : public FgdScorer {
 public:
  WeirPackScorer() : FgdScorer(FragmentMeasure::kAhead) {}
};

}  // namespace weir::sched
