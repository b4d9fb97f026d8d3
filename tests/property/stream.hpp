// One random case: a site, its settings, and a stream of events through the core's engine, each
// turn checked against the slow model.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "property/slow_site.hpp"

namespace weir::property {

struct Counts {
  slow::Tally tally;
  std::uint64_t cases = 0;
  std::uint64_t turns = 0;
  std::uint64_t nodes = 0;
  std::uint64_t probes = 0;       // gangs put to every placer
  std::uint64_t trial_steps = 0;  // grants, limits, lifts inside trials
  std::uint64_t rejected = 0;     // events the core refused to take, as it should
};

// Everything about the case follows from the seed. The error tells what was violated, and when.
Status run_case(std::uint64_t seed, Counts& counts);

}  // namespace weir::property
