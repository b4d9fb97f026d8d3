// The environment of a task: ranks in the order of the lease, so that neighbours in rank are
// neighbours on the fabric.
//
// SLURM_STEP_ID is left out on purpose: with it MPI believes that srun started it and waits for
// srun's PMI.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/ids.hpp"
#include "model/lease.hpp"
#include "model/step.hpp"
#include "state/state.hpp"

namespace weir::engine {

using Variables = std::map<std::string, std::string, std::less<>>;

// What is the same for all tasks of a step.
struct StepPlace {
  const state::State& state;
  const state::JobRecord& job;
  const state::WorkRecord& work;
  std::uint32_t part = 0;  // of the lease
  std::string_view master_address;
  const std::vector<std::string>& gpu_uuids;  // by index; empty: GPUs go by their index
};

// The variables that all tasks of the step share.
Variables step_variables(const StepPlace& place);
// Those of one of them.
Variables task_variables(const StepPlace& place, std::uint32_t local_rank);

// 20000 to 29999; ten thousand jobs in a row have different ones.
std::uint32_t master_port(StepId step);

// The GPUs that a task sees, of those of its step: an even share where it divides, one that several
// tasks share where the tasks are a multiple, else all.
std::vector<std::uint32_t> gpus_of_task(GpuMask gpus, std::uint32_t local_rank,
                                        std::uint32_t tasks);

struct MergedEnvironment {
  std::vector<std::string> env;   // NAME=value, by name
  std::vector<std::string> kept;  // names of Weir's that have another value by the user
};
// A user's value wins over Weir's, and both over the defaults, which nobody is told of.
MergedEnvironment merge_environment(const Variables& weirs, const Variables& defaults,
                                    const std::vector<std::string>& users);

}  // namespace weir::engine
