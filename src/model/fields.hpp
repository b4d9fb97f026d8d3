// What the fields of the model's structs are, for their codecs (codec_core.hpp). The order is the
// order of the bytes: a change of it is a change of the journal's format.
#pragma once

#include "model/codec_core.hpp"
#include "model/decision.hpp"
#include "model/event.hpp"

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
inline constexpr std::size_t codec::kMost<LevelTable> = kLevels;
template <>
inline constexpr std::size_t codec::kMost<Domain> = limits::kDomainsPerLevel;
template <>
inline constexpr std::size_t codec::kMost<LeasePart> = limits::kNodes;

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

}  // namespace weir
