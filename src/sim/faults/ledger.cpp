#include "sim/faults/ledger.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir::sim::faults {

GpuMask gpus_of(const StepSpec& spec) {
  GpuMask mask = 0;
  for (const std::string& device : spec.devices)
    mask |= GpuMask{1} << parse_unsigned(device).value_or(31);
  return mask;
}

void Ledger::started(std::uint32_t node, const StepSpec& spec) {
  const std::string name = fmt::format("{}.{}", spec.step.job.value(), spec.step.attempt);
  if (++started_[{spec.step, node}] > 1)
    kernel_.violated(fmt::format("step {} was started twice on n{}", name, node));
  const GpuMask gpus = gpus_of(spec);
  if ((gpus_[node] & gpus) != 0)
    kernel_.violated(fmt::format("step {} on n{} uses GPUs 0x{:x} of another live step", name, node,
                                 gpus_[node] & gpus));
  gpus_[node] |= gpus;
  for (const TaskSpec& task : spec.tasks) {
    const auto [other, first] = alive_.emplace(std::pair(spec.step.job, task.rank), spec.step);
    if (!first)
      kernel_.violated(fmt::format("task {} of job {} lives twice: in attempts {} and {}",
                                   task.rank, spec.step.job.value(), other->second.attempt,
                                   spec.step.attempt));
    other->second = spec.step;
  }
}

void Ledger::over(std::uint32_t node, StepId step, const TaskEnd& end) {
  const auto found = alive_.find({step.job, end.rank});
  if (found != alive_.end() && found->second == step) alive_.erase(found);
  ends_[{step, end.rank}] = end;
  kernel_.note(fmt::format("n{}", node),
               fmt::format("task {} of {}.{} is over: cause {} code {}", end.rank, step.job.value(),
                           step.attempt, static_cast<int>(end.cause), end.code));
}

void Ledger::left(std::uint32_t node, const StepSpec& spec) { gpus_[node] &= ~gpus_of(spec); }

bool Ledger::alive(JobId job) const {
  const auto found = alive_.lower_bound({job, 0});
  return found != alive_.end() && found->first.first == job;
}

bool Ledger::any_end(const state::Finished& finished, EndCause cause) const {
  const StepId step{finished.id, finished.attempts};
  return std::ranges::any_of(
      ends_, [&](const auto& one) { return one.first.first == step && one.second.cause == cause; });
}

void Ledger::check(const state::Finished& finished) {
  using state::JobState;
  const auto wrong = [&](std::string_view what) {
    kernel_.violated(fmt::format("job {} is said to be {} ({}), but {}", finished.id.value(),
                                 state::to_text(finished.state), finished.reason, what));
  };
  if (alive(finished.id)) wrong("a task of it lives");
  if (finished.state == JobState::kCompleted) {
    const auto tasks = static_cast<std::uint32_t>(finished.lease.parts.size()) *
                       finished.work->program.tasks_per_node;
    for (std::uint32_t rank = 0; rank < tasks; ++rank) {
      const auto end = ends_.find({StepId{finished.id, finished.attempts}, rank});
      if (end == ends_.end() || end->second.cause != EndCause::kExited || end->second.code != 0)
        return wrong(fmt::format("its task {} did not exit with 0", rank));
    }
  }
  if (finished.exit_code != 0) {
    const bool seen = std::ranges::any_of(ends_, [&](const auto& one) {
      return one.first.first == StepId{finished.id, finished.attempts} &&
             one.second.cause == EndCause::kExited && one.second.code == finished.exit_code;
    });
    if (!seen) wrong("no task exited so");
  }
  if (finished.state == JobState::kTimeout && !any_end(finished, EndCause::kTimeLimit))
    wrong("no task reached its limit");
  if (finished.state == JobState::kNodeFail && !any_end(finished, EndCause::kLeaseEnded))
    wrong("no task was ended at a lease's deadline");
}

}  // namespace weir::sim::faults
