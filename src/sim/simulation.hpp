// Simulation: the core's engine under a simulated executor that ends each job after the runtime
// that the trace gives.
//
// Time jumps from event to event. At one instant all ends come before all arrivals, and both before
// the engine plans, as in the published replays.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.hpp"
#include "core/journal.hpp"
#include "formats/trace.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"
#include "sim/result.hpp"

namespace weir::sim {

struct SimulatedPool {
  Locality locality;  // with units and pods where it is known
  std::vector<Node> nodes;

  [[nodiscard]] std::uint64_t gpus() const;
  // GPUs of the node kind that most nodes have: the unit by which a count of GPUs becomes a gang.
  [[nodiscard]] std::uint32_t gpus_per_node() const;
};

// `nodes` equal nodes whose network is not known.
SimulatedPool flat_pool(std::uint32_t nodes, std::uint32_t gpus_per_node);

struct SimulationOptions {
  sched::Settings settings;
  // Zero: plan at every event. Else only at whole multiples of this, as schedulers in rounds do: a
  // round sees all ends and arrivals up to and including its instant; jobs end at their exact time.
  Duration round{0};
  core::FrameSink journal;  // takes the journal's bytes, or nothing
  // Told now and then how many jobs have ended or were refused.
  std::function<void(std::uint64_t done)> progress;
  std::uint32_t series_steps = 400;
};

// Runs the whole trace. Who still waits when nothing more can happen counts as refused. Errors: a
// job that no pool could take (its row is named), unknown settings, the journal's sink.
Result<RunResult> simulate(const SimulatedPool& pool, const Trace& trace,
                           const SimulationOptions& options);

}  // namespace weir::sim
