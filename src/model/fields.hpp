// What the fields of the model's structs are, for their codecs (codec_core.hpp). The order is the
// order of the bytes: a change of it is a change of the journal's format.
#pragma once

#include "model/codec_core.hpp"
#include "model/decision.hpp"
#include "model/event.hpp"
#include "model/program.hpp"
#include "model/step.hpp"

namespace weir {

template <>
inline constexpr std::uint32_t codec::kValues<Grade> = kGrades;
template <>
inline constexpr std::uint32_t codec::kValues<Level> = kLevels;
template <>
inline constexpr std::uint32_t codec::kValues<Availability> = kAvailabilities;
template <>
inline constexpr std::uint32_t codec::kValues<ReasonCode> = kReasonCodes;
template <>
inline constexpr std::uint32_t codec::kValues<OnPartition> = kOnPartitions;
template <>
inline constexpr std::uint32_t codec::kValues<DependencyKind> = kDependencyKinds;
template <>
inline constexpr std::uint32_t codec::kValues<EndCause> = kEndCauses;
template <>
inline constexpr std::uint32_t codec::kValues<StepPhase> = kStepPhases;

template <>
inline constexpr std::size_t codec::kMost<LevelTable> = kLevels;
template <>
inline constexpr std::size_t codec::kMost<Domain> = limits::kDomainsPerLevel;
template <>
inline constexpr std::size_t codec::kMost<LeasePart> = limits::kNodes;
template <>
inline constexpr std::size_t codec::kMost<Dependency> = limits::kDependencies;
template <>
inline constexpr std::size_t codec::kMost<TaskEnd> = limits::kTasksPerNode;
template <>
inline constexpr std::size_t codec::kMost<TaskSpec> = limits::kTasksPerNode;
template <>
inline constexpr std::size_t codec::kMost<StepReport> = limits::kStepsPerNode;

template <typename A>
void fields(A& a, codec::Of<Capacity> auto& x) {
  a(x.gpus, x.cpu_milli, x.memory_mib, x.gpu_milli);
}
template <typename A>
void fields(A& a, codec::Of<Gang> auto& x) {
  a(x.nodes, x.per_node, x.tail);
}
template <typename A>
void fields(A& a, codec::Of<Requirement> auto& x) {
  a(x.partition, x.gpu_models, x.features, x.worst_grade, x.rails);
}
template <typename A>
void fields(A& a, codec::Of<TopologyWish> auto& x) {
  a(x.require, x.prefer, x.segment_nodes, x.segment_level, x.exclusive);
}
template <typename A>
void fields(A& a, codec::Of<Job> auto& x) {
  a(x.name, x.user, x.gang, x.requirement, x.wish, x.priority, x.estimate);
}
template <typename A>
void fields(A& a, codec::Of<NodeKind> auto& x) {
  a(x.gpu_model, x.total, x.partitions, x.features);
}
template <typename A>
void fields(A& a, codec::Of<Node> auto& x) {
  a(x.name, x.kind, x.cell, x.rails, x.grade, x.availability);
}
template <typename A>
void fields(A& a, codec::Of<Domain> auto& x) {
  a(x.parent, x.name);
}
template <typename A>
void fields(A& a, codec::Of<LevelTable> auto& x) {
  a(x.level, x.domains);
}
template <typename A>
void fields(A& a, codec::Of<Locality> auto& x) {
  a(x.levels, x.known);
}
template <typename A>
void fields(A& a, codec::Of<LeasePart> auto& x) {
  a(x.node, x.gpus, x.cpu_milli, x.memory_mib, x.gpu_milli);
}
template <typename A>
void fields(A& a, codec::Of<Lease> auto& x) {
  a(x.parts, x.start, x.until, x.spans, x.exclusive);
}
template <typename A>
void fields(A& a, codec::Of<Reason> auto& x) {
  a(x.code, x.level, x.asked, x.best, x.name);
}
template <typename A>
void fields(A& a, codec::Of<LocalityLearned> auto& x) {
  a(x.locality);
}
template <typename A>
void fields(A& a, codec::Of<NodeJoined> auto& x) {
  a(x.node);
}
template <typename A>
void fields(A& a, codec::Of<NodeGraded> auto& x) {
  a(x.node, x.grade);
}
template <typename A>
void fields(A& a, codec::Of<NodeAvailabilityChanged> auto& x) {
  a(x.node, x.availability);
}
template <typename A>
void fields(A& a, codec::Of<JobSubmitted> auto& x) {
  a(x.job);
}
template <typename A>
void fields(A& a, codec::Of<JobEnded> auto& x) {
  a(x.job);
}
template <typename A>
void fields(A& a, codec::Of<JobCancelled> auto& x) {
  a(x.job);
}
template <typename A>
void fields(A& a, codec::Of<JobStarted> auto& x) {
  a(x.job, x.lease);
}
template <typename A>
void fields(A& a, codec::Of<JobRefused> auto& x) {
  a(x.job, x.reason);
}
template <typename A>
void fields(A& a, codec::Of<StartPromised> auto& x) {
  a(x.job, x.by);
}

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
  a(x.witness, x.about, x.silent);
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
