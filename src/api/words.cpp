#include "api/words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace weir::api {
namespace {

std::string_view word_of(ReasonCode code) {
  switch (code) {
    case ReasonCode::kNone: return "None";
    case ReasonCode::kNoPartition:
    case ReasonCode::kNoGpuModel:
    case ReasonCode::kNoFeatures:
    case ReasonCode::kGpusPerNode:
    case ReasonCode::kCpusPerNode:
    case ReasonCode::kMemoryPerNode:
    case ReasonCode::kRails:
    case ReasonCode::kNodeCount:
    case ReasonCode::kSegments:
    case ReasonCode::kLevelUnknown: return "BadConstraints";
    case ReasonCode::kGrade: return "ReqNodeNotAvail";
    case ReasonCode::kBusy:
    case ReasonCode::kBusyTail:
    case ReasonCode::kBusySegments:
    case ReasonCode::kBusyShare: return "Resources";
    case ReasonCode::kBehind: return "Priority";
  }
  WEIR_ASSERT(false && "every ReasonCode has a word");
}

std::string_view wanted_end(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::kAfterOk: return "to end well";
    case DependencyKind::kAfterAny: return "to end";
    case DependencyKind::kAfterNotOk: return "to end badly";
  }
  return "to end";
}

Why why_dependent(const state::State& state, const std::vector<Dependency>& unmet) {
  // One that has ended and is still unmet ended the other way.
  for (const Dependency& one : unmet)
    if (state.work(one.job) == nullptr)
      return {"DependencyNeverSatisfied",
              fmt::format("waits for job {} {}, which has ended otherwise: cancel it",
                          one.job.value(), wanted_end(one.kind))};
  std::string more;
  if (unmet.size() > 1) more = fmt::format(", and {} more", unmet.size() - 1);
  return {"Dependency", fmt::format("waits for job {} {}{}", unmet.front().job.value(),
                                    wanted_end(unmet.front().kind), more)};
}

}  // namespace

std::string_view job_state(const state::State& state, const state::JobRecord& job) {
  if (job.phase != state::JobPhase::kRunning) return "PENDING";
  const state::WorkRecord* work = state.work(job.id);
  if (work == nullptr) return "RUNNING";
  if (work->ending) return "COMPLETING";
  return work->running_since == Instant::far_future() ? "CONFIGURING" : "RUNNING";
}

Why why_waiting(const state::State& state, const state::JobRecord& job, const Reason& planner,
                Instant now) {
  if (job.phase == state::JobPhase::kRunning) return {"None", ""};
  if (const state::WorkRecord* work = state.work(job.id)) {
    if (work->held) return {"JobHeldUser", "is held: release it"};
    if (!work->unmet.empty()) return why_dependent(state, work->unmet);
    const Instant begin = work->work->rules.begin;
    if (begin > now)
      return {"BeginTime", fmt::format("starts not before {} UTC", format_instant(begin))};
  }
  return {word_of(planner.code), sentence(planner)};
}

Why why_ended(const state::Finished& finished) {
  switch (finished.state) {
    case state::JobState::kCompleted:
    case state::JobState::kCancelled: return {"None", finished.reason};
    case state::JobState::kFailed:
      return {finished.exit_code != 0 ? "NonZeroExitCode"
              : finished.signal != 0  ? "RaisedSignal"
                                      : "JobLaunchFailure",
              finished.reason};
    case state::JobState::kTimeout: return {"TimeLimit", finished.reason};
    case state::JobState::kOutOfMemory: return {"OutOfMemory", finished.reason};
    case state::JobState::kNodeFail: return {"NodeDown", finished.reason};
    case state::JobState::kUnknown: return {"None", finished.reason};
  }
  return {"None", finished.reason};
}

std::string_view node_state(const state::State& state, NodeId id) {
  const pool::NodeState& node = state.pool().node(id);
  if (node.availability == Availability::kDown) return "DOWN";
  if (node.availability == Availability::kDrained)
    return node.holdings.empty() ? "DRAINED" : "DRAINING";
  if (node.holdings.empty()) return "IDLE";
  const Capacity& total = state.pool().classes().kind_of(node.node_class).total;
  const bool full = total.gpus > 0 ? node.free_gpus == 0 : node.free.cpu_milli == 0;
  return full ? "ALLOCATED" : "MIXED";
}

std::string why_closed(const state::State& state, NodeId id) {
  const pool::NodeState& node = state.pool().node(id);
  const state::AgentRecord& agent = state.agent(id);
  if (agent.known && !agent.connected)
    return fmt::format("its agent has not been connected since {} UTC",
                       format_instant(agent.since));
  if (node.availability == Availability::kDown)
    return agent.known ? "was set down: undrain it" : "its agent has not connected yet";
  if (node.availability == Availability::kDrained) return "is drained: undrain it";
  return {};
}

std::string time_text(Instant at) {
  const std::int64_t part = ((at.microseconds() % 1'000'000) + 1'000'000) % 1'000'000;
  std::string text = format_instant(at);
  text[text.find(' ')] = 'T';
  return fmt::format("{}.{:06}Z", text, part);
}

}  // namespace weir::api
