// Builds the StepSpec of one step: what the node's weir-stepd needs to run its tasks.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/ids.hpp"
#include "model/step.hpp"
#include "state/state.hpp"

namespace weir::engine {

// What a node has told of itself.
struct NodeFacts {
  std::vector<std::string> gpu_uuids;       // by index; empty where it told none
  std::vector<std::string> gpu_devices;     // the device file of each GPU, by index
  std::vector<std::string> shared_devices;  // of all GPUs: whoever holds one needs them
  std::vector<std::string> closed_devices;  // never open to a job
  std::string home;                         // of the job's user there; empty: not known
  std::string shell;
};

struct StepFacts {
  NodeFacts node;
  // By which the others reach the node of rank 0; empty: its name.
  std::string master_address;
};

struct BuiltStep {
  StepSpec spec;
  // Variables of Weir's that have the user's own value, for the job's view.
  std::vector<std::string> kept;
};

// Ranks go along the lease: part x tasks_per_node + task. Errors: the job does not run with this
// attempt or not on this node; the node has told UUIDs, but not those of all GPUs that are leased.
Result<BuiltStep> build_step(const state::State& state, StepId step, NodeId node,
                             const StepFacts& facts);

}  // namespace weir::engine
