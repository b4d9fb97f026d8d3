// Ledger: what is really so on the nodes, whatever agents and controller believe. It notices at
// once when something runs that must not.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/lease.hpp"
#include "model/step.hpp"
#include "sim/faults/kernel.hpp"
#include "state/work.hpp"

namespace weir::sim::faults {

class Ledger {
 public:
  Ledger(Kernel& kernel, std::uint32_t nodes) : kernel_(kernel), gpus_(nodes, 0) {}

  // The tasks of a step run now. Its devices are numbers of GPUs.
  void started(std::uint32_t node, const StepSpec& spec);
  // A task is over; `end` is what really ended it.
  void over(std::uint32_t node, StepId step, const TaskEnd& end);
  // No task of the step is left: its GPUs are free.
  void left(std::uint32_t node, const StepSpec& spec);

  [[nodiscard]] std::size_t alive() const { return alive_.size(); }
  [[nodiscard]] bool alive(JobId job) const;
  [[nodiscard]] std::uint64_t steps_started() const { return started_.size(); }
  // A job is said to have ended so: whether that is what happened.
  void check(const state::Finished& finished);

 private:
  [[nodiscard]] bool any_end(const state::Finished& finished, EndCause cause) const;

  Kernel& kernel_;
  std::vector<GpuMask> gpus_;                                 // by node: in use
  std::map<std::pair<StepId, std::uint32_t>, int> started_;   // step and node
  std::map<std::pair<JobId, std::uint32_t>, StepId> alive_;   // job and rank
  std::map<std::pair<StepId, std::uint32_t>, TaskEnd> ends_;  // step and rank
};

GpuMask gpus_of(const StepSpec& spec);

}  // namespace weir::sim::faults
