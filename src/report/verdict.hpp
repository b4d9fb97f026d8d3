// What the figures mean, in one to three sentences a person can check against the table.
#pragma once

#include <string>
#include <vector>

#include "sim/result.hpp"

namespace weir::report {

// Whole sentences, each true of the data: the best order against fifo (or against the slowest
// order), the placements under that order, and the refused jobs where there are any. Compared are
// only runs that differ in nothing else. Clean text, no markup. Empty without a run.
std::vector<std::string> verdict(const sim::Comparison& comparison);

// The run the sentences are about: the order with the least mean completion under the first run's
// placement and backfill. REQUIRES: a run.
const sim::RunResult& leading_run(const sim::Comparison& comparison);

// The runs that differ from `run` in their placement alone, itself included, in the order asked.
std::vector<const sim::RunResult*> placements_beside(const sim::Comparison& comparison,
                                                     const sim::RunResult& run);

}  // namespace weir::report
