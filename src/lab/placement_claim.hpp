// A claim of the field measured: what placement does to communication. The same gangs run on the
// same fabric under several placements; each gang's ring goes over the real forwarding tables, and
// all gangs that run at that moment load the cables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "base/units.hpp"
#include "sim/workload.hpp"

namespace weir::lab {

struct PlacementClaimOptions {
  std::vector<std::string> placements{"weir", "firstfit", "random"};
  std::vector<std::uint64_t> seeds{1, 2, 3, 4, 5};
  sim::WorkloadKind workload = sim::WorkloadKind::kMixed;
  double load = 0.8;
  Duration length = std::chrono::days(14);
  // A name of fabric::reference_fabrics(); eight GPUs a node.
  std::string fabric = "dgx-b200-128";
  std::uint32_t uplinks =
      0;  // of each leaf, fewer than the fabric has: oversubscribed; 0: as it is
  // A step of data-parallel training: gradients of 7 billion parameters in 16 bits; 8,192 tokens a
  // GPU at 400 TFLOP/s (6 FLOP a parameter and token).
  Bytes gradients{14'000'000'000};
  double compute_s = 0.86;
  // Share of the computation that communication may hide behind.
  double overlap = 0;
};

struct MeanAndSpread {
  double mean = 0;
  double sd = 0;  // over seeds; 0 for one seed
};

// Means over all gangs of several nodes, each looked at when it starts.
struct PlacementFigures {
  std::string placement;
  std::uint64_t gangs = 0;      // of all seeds
  MeanAndSpread over_spines;    // share of the ring's routes that leave their leaf
  MeanAndSpread busiest;        // routes on the busiest cable of the gang, all gangs counted
  MeanAndSpread all_reduce_ms;  // with that cable shared evenly
  MeanAndSpread overhead;       // seconds of communication that nothing hides, over those of a step
  MeanAndSpread output;         // share of a step that computes: what a GPU puts out
};

// Errors: those of the generator, the workload and the simulator; an unknown fabric or placement.
Result<std::vector<PlacementFigures>> measure_placement_claim(const PlacementClaimOptions& options);

}  // namespace weir::lab
