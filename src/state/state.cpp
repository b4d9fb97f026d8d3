#include "state/state.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "state/live_reducer.hpp"

namespace weir::state {

Status State::apply(Instant now, const Event& event) {
  return std::visit(
      [&](const auto& content) {
        if constexpr (requires { on(now, content); }) {
          return on(now, content);
        } else {
          return LiveReducer(*this, now).on(content);
        }
      },
      event);
}

Status State::on(Instant /*now*/, const LocalityLearned& event) {
  return pool_.learn(event.locality);
}

Status State::on(Instant /*now*/, const NodeJoined& event) {
  WEIR_TRY(pool_.join(event.node));
  effects_.freed = true;
  return {};
}

Status State::on(Instant /*now*/, const NodeGraded& event) {
  WEIR_TRY(require_node(event.node));
  effects_.freed = true;
  return pool_.grade(event.node, event.grade);
}

Status State::on(Instant now, const NodeAvailabilityChanged& event) {
  WEIR_TRY(require_node(event.node));
  effects_.freed = true;
  if (epoch_ > 0) {
    LiveReducer(*this, now).wish(event.node, event.availability);
  } else {
    pool_.set_availability(event.node, event.availability);
  }
  return {};
}

Status State::on(Instant now, const JobSubmitted& event) {
  WEIR_TRY(weir::check(event.job));
  effects_.eligible.push_back(add_job(now, event.job).id);
  return {};
}

JobRecord& State::add_job(Instant now, const Job& job) {
  const JobId id(next_job_++);
  JobRecord& record = jobs_[id];
  record.id = id;
  record.job = job;
  record.submitted = now;
  record.shape = shapes_.acquire({record.job.gang, record.job.requirement, record.job.wish});
  ++totals_.submitted;
  return record;
}

Status State::on(Instant /*now*/, const JobEnded& event) {
  const JobRecord* record = find(event.job);
  if (record == nullptr || record->phase != JobPhase::kRunning)
    return bad_input(fmt::format("job {} has ended, but it was not running", event.job.value()));
  if (works_.contains(event.job))
    return bad_input(
        fmt::format("job {} has a program: its nodes say when it ends", event.job.value()));
  leave(event.job);
  effects_.freed = true;
  ++totals_.ended;
  return {};
}

Status State::on(Instant now, const JobCancelled& event) {
  if (works_.contains(event.job)) {
    LiveReducer(*this, now).cancel(event.job);
    return {};
  }
  if (find(event.job) == nullptr)
    return bad_input(
        fmt::format("job {} cannot be cancelled: it is not pending or running", event.job.value()));
  leave(event.job);
  effects_.freed = true;
  ++totals_.cancelled;
  return {};
}

void State::apply(const Decision& decision) {
  if (const auto* started = std::get_if<JobStarted>(&decision)) {
    JobRecord& record = jobs_.at(started->job);
    WEIR_ASSERT(record.phase == JobPhase::kPending);
    record.phase = JobPhase::kRunning;
    record.promised = Instant::far_future();
    record.lease = started->lease;
    pool_.grant(record.id, record.lease);
    record.start_order = ++totals_.started;
    if (works_.contains(started->job)) LiveReducer(*this, started->lease.start).started(record);
  } else if (const auto* refused = std::get_if<JobRefused>(&decision)) {
    WEIR_ASSERT(jobs_.at(refused->job).phase == JobPhase::kPending);
    WEIR_ASSERT(!works_.contains(refused->job));
    leave(refused->job);
    ++totals_.refused;
  } else if (const auto* promised = std::get_if<StartPromised>(&decision)) {
    jobs_.at(promised->job).promised = promised->by;
  }
}

const JobRecord* State::find(JobId id) const {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : &found->second;
}

const WorkRecord* State::work(JobId id) const {
  const auto found = works_.find(id);
  return found == works_.end() ? nullptr : &found->second;
}

const AgentRecord& State::agent(NodeId node) const {
  WEIR_ASSERT(node.index() < pool_.nodes());
  static const AgentRecord kUnknown;
  return node.index() < agents_.size() ? agents_[node.index()] : kUnknown;
}

std::vector<JobId> State::jobs() const {
  std::vector<JobId> ids;
  ids.reserve(jobs_.size());
  for (const auto& [id, record] : jobs_) ids.push_back(id);
  std::ranges::sort(ids);
  return ids;
}

Status State::require_node(NodeId node) const {
  if (node.index() < pool_.nodes()) return {};
  return bad_input(
      fmt::format("node {} has not joined; the pool has {} nodes", node.value(), pool_.nodes()));
}

void State::leave(JobId id) {
  const auto found = jobs_.find(id);
  if (found->second.phase == JobPhase::kRunning) pool_.release(id, found->second.lease);
  shapes_.release(found->second.shape);
  jobs_.erase(found);
}

}  // namespace weir::state
