// The parts of the page that are words: refused jobs, what the policies' names mean, journal
// hashes.
#pragma once

#include "report/markup.hpp"
#include "sim/result.hpp"

namespace weir::report {

// The reasons of the leading run's refusals, the most frequent first. Nothing where all jobs ran.
void write_refusals(Markup& page, const sim::Comparison& comparison);

// One line per policy that was run, for names Weir knows, and the journal hash of every run.
void write_words(Markup& page, const sim::Comparison& comparison);

}  // namespace weir::report
