// World: a small site with its controller, agents, stepds, network and clients, through a time of
// faults and a time without, by seed. The core, the agents and what lies between are the real ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::sim::faults {

struct FaultRun {
  std::uint64_t seed = 1;
  bool keep_trace = false;
};

struct FaultReport {
  std::vector<std::string> violations;  // empty: all is as it must be
  std::vector<std::string> trace;       // line by line, if it was to be kept
  std::uint64_t hash = 0;               // of everything that happened
  // What a run went through, to see that it is no idle one.
  std::uint64_t jobs = 0;
  std::uint64_t steps = 0;
  std::uint64_t controller_crashes = 0;
  std::uint64_t unknown_ends = 0;
  std::uint64_t second_attempts = 0;
};

FaultReport run_faults(const FaultRun& run);

}  // namespace weir::sim::faults
