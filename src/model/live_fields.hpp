// The fields of what runs as processes: programs, steps, live events. As fields.hpp.
#pragma once

#include "model/codec_core.hpp"
#include "model/fields.hpp"
#include "model/live_event.hpp"
#include "model/program.hpp"
#include "model/step.hpp"

namespace weir {

template <>
inline constexpr std::uint32_t codec::kValues<OnPartition> = kOnPartitions;
template <>
inline constexpr std::uint32_t codec::kValues<DependencyKind> = kDependencyKinds;
template <>
inline constexpr std::uint32_t codec::kValues<EndCause> = kEndCauses;
template <>
inline constexpr std::uint32_t codec::kValues<StepPhase> = kStepPhases;
template <>
inline constexpr std::size_t codec::kMost<Dependency> = limits::kDependencies;
template <>
inline constexpr std::size_t codec::kMost<TaskEnd> = limits::kTasksPerNode;
template <>
inline constexpr std::size_t codec::kMost<TaskSpec> = limits::kTasksPerNode;
template <>
inline constexpr std::size_t codec::kMost<StepReport> = limits::kStepsPerNode;

template <typename A>
void fields(A& a, codec::Of<Program> auto& x) {
  a(x.argv, x.env, x.directory, x.output, x.error, x.tasks_per_node, x.user, x.uid, x.gid, x.umask);
}
template <typename A>
void fields(A& a, codec::Of<Dependency> auto& x) {
  a(x.job, x.kind);
}
template <typename A>
void fields(A& a, codec::Of<Rules> auto& x) {
  a(x.time_limit, x.end_signal, x.grace, x.retries, x.retry_on_failure, x.retry_on_node_failure,
    x.retry_on_time_limit, x.on_partition, x.held, x.begin, x.after);
}
template <typename A>
void fields(A& a, codec::Of<Work> auto& x) {
  a(x.program, x.rules);
}
template <typename A>
void fields(A& a, codec::Of<StepId> auto& x) {
  a(x.job, x.attempt);
}
template <typename A>
void fields(A& a, codec::Of<TaskEnd> auto& x) {
  a(x.rank, x.cause, x.code, x.detail);
}
template <typename A>
void fields(A& a, codec::Of<StepReport> auto& x) {
  a(x.step, x.token, x.phase, x.ends);
}
template <typename A>
void fields(A& a, codec::Of<TaskSpec> auto& x) {
  a(x.rank, x.argv, x.env, x.output, x.error);
}
template <typename A>
void fields(A& a, codec::Of<StepSpec> auto& x) {
  a(x.step, x.token, x.user, x.uid, x.gid, x.umask, x.directory, x.tasks, x.devices, x.closed,
    x.cpu_milli, x.memory_mib, x.time_limit, x.end_signal, x.grace, x.on_partition);
}
template <typename A>
void fields(A& a, codec::Of<ControllerStarted> auto& x) {
  a(x.deadline, x.margin);
}
template <typename A>
void fields(A& a, codec::Of<WorkSubmitted> auto& x) {
  a(x.job, x.work);
}
template <typename A>
void fields(A& a, codec::Of<JobHeld> auto& x) {
  a(x.job);
}
template <typename A>
void fields(A& a, codec::Of<JobReleased> auto& x) {
  a(x.job);
}
template <typename A>
void fields(A& a, codec::Of<JobRequeued> auto& x) {
  a(x.job);
}
template <typename A>
void fields(A& a, codec::Of<AgentConnected> auto& x) {
  a(x.node, x.boot, x.session, x.steps);
}
template <typename A>
void fields(A& a, codec::Of<WitnessesKnown> auto& x) {
  a(x.node, x.welcome);
}
template <typename A>
void fields(A& a, codec::Of<AgentLost> auto& x) {
  a(x.node, x.session);
}
template <typename A>
void fields(A& a, codec::Of<WitnessSaid> auto& x) {
  a(x.witness, x.about, x.query, x.unheard);
}
template <typename A>
void fields(A& a, codec::Of<NodeProvedDead> auto& x) {
  a(x.node);
}
template <typename A>
void fields(A& a, codec::Of<StepReported> auto& x) {
  a(x.node, x.report);
}
template <typename A>
void fields(A& /*a*/, codec::Of<TimePassed> auto& /*x*/) {}

}  // namespace weir
