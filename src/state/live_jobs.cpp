// Live jobs: submitted, held, started, ended, started again.
#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "state/live_reducer.hpp"

namespace weir::state {
namespace {

// After so many nodes that could not start it in a row, it is the job and not the node.
constexpr std::size_t kStartFailures = 3;

bool went_well(const TaskEnd& end) { return end.cause == EndCause::kExited && end.code == 0; }

bool ended_by_itself_badly(const TaskEnd& end) {
  return (end.cause == EndCause::kExited && end.code != 0) || end.cause == EndCause::kSignalled;
}

const TaskEnd* first_end(const WorkRecord& work, auto predicate) {
  for (const StepRecord& step : work.steps)
    for (const TaskEnd& end : step.ends)
      if (predicate(end)) return &end;
  return nullptr;
}

const TaskEnd* first_end_of(const WorkRecord& work, EndCause cause) {
  return first_end(work, [&](const TaskEnd& end) { return end.cause == cause; });
}

struct Outcome {
  JobState state = JobState::kCompleted;
  std::string reason;
  bool retry = false;  // the rules allow another attempt after such an end
};

std::string about(const TaskEnd& end, std::string_view what) {
  std::string text = fmt::format("task {} {}", end.rank, what);
  if (!end.detail.empty()) text += ": " + end.detail;
  return text;
}

// The worst end of a task says how the job ended: what nobody saw outweighs what somebody did.
Outcome outcome_of(const WorkRecord& work) {
  const Rules& rules = work.work->rules;
  if (work.ending == EndCause::kCancelled) return {JobState::kCancelled, "cancelled", false};
  if (const TaskEnd* end = first_end_of(work, EndCause::kTimeLimit))
    return {JobState::kTimeout, about(*end, "reached the time limit"), rules.retry_on_time_limit};
  if (const TaskEnd* end = first_end_of(work, EndCause::kOutOfMemory))
    return {JobState::kOutOfMemory, about(*end, "was killed for memory"), rules.retry_on_failure};
  if (const TaskEnd* end = first_end(work, ended_by_itself_badly))
    return {JobState::kFailed,
            about(*end, end->cause == EndCause::kExited
                            ? fmt::format("exited with status {}", end->code)
                            : fmt::format("was ended by signal {}", end->code)),
            rules.retry_on_failure};
  if (const TaskEnd* end = first_end_of(work, EndCause::kLeaseEnded))
    return {JobState::kNodeFail, about(*end, "was ended: its node was cut off"),
            rules.retry_on_node_failure};
  if (const TaskEnd* end = first_end_of(work, EndCause::kUnknown))
    return {JobState::kUnknown, about(*end, "ended unseen"), rules.retry_on_node_failure};
  if (const TaskEnd* end = first_end(work, [](const TaskEnd& e) { return !went_well(e); }))
    return {JobState::kFailed, about(*end, "was ended"), false};
  return {};
}

}  // namespace

std::string_view to_text(JobState state) {
  switch (state) {
    case JobState::kCompleted: return "COMPLETED";
    case JobState::kFailed: return "FAILED";
    case JobState::kCancelled: return "CANCELLED";
    case JobState::kTimeout: return "TIMEOUT";
    case JobState::kOutOfMemory: return "OUT_OF_MEMORY";
    case JobState::kNodeFail: return "NODE_FAIL";
    case JobState::kUnknown: return "UNKNOWN";
  }
  return "?";
}

Result<WorkRecord*> LiveReducer::find_work(JobId id, std::string_view what) {
  const auto found = state_.works_.find(id);
  if (found == state_.works_.end())
    return bad_input(
        fmt::format("job {} cannot be {}: it is not pending or running, or has no "
                    "program",
                    id.value(), what));
  return &found->second;
}

Status LiveReducer::on(const WorkSubmitted& event) {
  WEIR_TRY(weir::check(event.job));
  WEIR_TRY(weir::check(*event.work));
  std::vector<Dependency> unmet;
  for (const Dependency& dependency : event.work->rules.after) {
    if (state_.works_.contains(dependency.job)) {
      unmet.push_back(dependency);
      continue;
    }
    const auto outcome = state_.outcomes_.find(dependency.job);
    if (outcome == state_.outcomes_.end())
      return bad_input(
          fmt::format("depends on job {}: no such job is pending, running or recently "
                      "ended",
                      dependency.job.value()));
    const bool met = dependency.kind == DependencyKind::kAfterAny ||
                     (dependency.kind == DependencyKind::kAfterOk) == outcome->second;
    if (!met)
      return bad_input(fmt::format("depends on job {}, which has ended {}: it would never start",
                                   dependency.job.value(), outcome->second ? "well" : "badly"));
  }
  JobRecord& job = state_.add_job(now_, event.job);
  job.phase = JobPhase::kWaiting;
  WorkRecord& work = state_.works_[job.id];
  work.work = event.work;
  work.held = event.work->rules.held;
  work.unmet = std::move(unmet);
  for (const Dependency& dependency : work.unmet)
    state_.dependents_.emplace(dependency.job, job.id);
  if (event.work->rules.begin > now_) state_.begins_.emplace(event.work->rules.begin, job.id);
  reconsider(job.id);
  return {};
}

void LiveReducer::reconsider(JobId id) {
  JobRecord& job = state_.jobs_.at(id);
  const WorkRecord& work = state_.works_.at(id);
  if (job.phase == JobPhase::kRunning) return;
  const bool eligible = !work.held && work.unmet.empty() && work.work->rules.begin <= now_;
  if (eligible && job.phase == JobPhase::kWaiting) {
    job.phase = JobPhase::kPending;
    state_.effects_.eligible.push_back(id);
  } else if (!eligible && job.phase == JobPhase::kPending) {
    job.phase = JobPhase::kWaiting;
    job.promised = Instant::far_future();
    std::erase(state_.effects_.eligible, id);
  }
}

Status LiveReducer::on(const JobHeld& event) {
  WorkRecord& work = *WEIR_TRY(find_work(event.job, "held"));
  if (state_.jobs_.at(event.job).phase == JobPhase::kRunning)
    return bad_input(
        fmt::format("job {} cannot be held: it runs; cancel or requeue it", event.job.value()));
  work.held = true;
  reconsider(event.job);
  return {};
}

Status LiveReducer::on(const JobReleased& event) {
  WorkRecord& work = *WEIR_TRY(find_work(event.job, "released"));
  work.held = false;
  reconsider(event.job);
  return {};
}

Status LiveReducer::on(const JobRequeued& event) {
  WorkRecord& work = *WEIR_TRY(find_work(event.job, "requeued"));
  if (state_.jobs_.at(event.job).phase != JobPhase::kRunning)
    return bad_input(fmt::format("job {} cannot be requeued: it does not run", event.job.value()));
  if (work.ending == EndCause::kCancelled)
    return bad_input(
        fmt::format("job {} cannot be requeued: it has been cancelled", event.job.value()));
  work.again = true;
  if (!work.ending) end(event.job, EndCause::kWithOthers);
  return {};
}

void LiveReducer::cancel(JobId id) {
  WorkRecord& work = state_.works_.at(id);
  work.again = false;
  if (state_.jobs_.at(id).phase == JobPhase::kRunning) {
    if (work.ending != EndCause::kCancelled) end(id, EndCause::kCancelled);
    return;
  }
  finish(id, JobState::kCancelled, "cancelled while it was pending");
}

void LiveReducer::started(JobRecord& job) {
  WorkRecord& work = state_.works_.at(job.id);
  ++work.attempt;
  work.token = ++state_.tokens_;
  work.running_since = Instant::far_future();
  for (const LeasePart& part : job.lease.parts) {
    work.steps.push_back({part.node, StepPhase::kStarting, {}});
    command(StartStepOn{part.node, {job.id, work.attempt}});
  }
}

void LiveReducer::end(JobId id, EndCause cause) {
  WorkRecord& work = state_.works_.at(id);
  work.ending = cause;
  for (const StepRecord& step : work.steps)
    if (step.phase != StepPhase::kEnded)
      command(EndStepOn{step.node, {id, work.attempt}, work.token, cause});
}

// All steps of the attempt have ended.
void LiveReducer::settle(JobId id) {
  WorkRecord& work = state_.works_.at(id);
  const bool cancelled = work.ending == EndCause::kCancelled;
  if (!cancelled && work.again) return run_again(id);
  if (!cancelled && work.start_failed) {
    if (can_start_elsewhere(id)) return run_again(id);
    return finish(
        id, JobState::kFailed,
        about(*first_end_of(work, EndCause::kNotStarted), "could not be started anywhere"));
  }
  work.failures.clear();
  state_.jobs_.at(id).avoid.clear();
  Outcome outcome = outcome_of(work);
  if (outcome.retry && work.restarts < work.work->rules.retries) {
    ++work.restarts;
    return run_again(id);
  }
  finish(id, outcome.state, std::move(outcome.reason));
}

bool LiveReducer::can_start_elsewhere(JobId id) const {
  const JobRecord& job = state_.jobs_.at(id);
  if (job.avoid.size() >= kStartFailures) return false;
  const Gang& gang = job.job.gang;
  std::size_t nodes = 0;
  for (const pool::EligibleClass& one : state_.pool_.classes().eligible(
           job.job.requirement, gang.has_tail() ? gang.tail : gang.per_node, gang.node_count() > 1,
           /*any_grade=*/true))
    for (std::uint32_t i = 0; i < state_.pool_.nodes(); ++i)
      if (state_.pool_.node(NodeId(i)).node_class == one.id) ++nodes;
  return nodes >= job.avoid.size() + gang.node_count();
}

void LiveReducer::run_again(JobId id) {
  JobRecord& job = state_.jobs_.at(id);
  WorkRecord& work = state_.works_.at(id);
  state_.pool_.release(id, job.lease);
  state_.effects_.freed = true;
  job.lease = {};
  job.start_order = 0;
  job.phase = JobPhase::kWaiting;
  work.steps.clear();
  work.ending.reset();
  work.start_failed = false;
  work.again = false;
  work.running_since = Instant::far_future();
  reconsider(id);
}

void LiveReducer::finish(JobId id, JobState outcome, std::string reason) {
  const JobRecord& job = state_.jobs_.at(id);
  const WorkRecord& work = state_.works_.at(id);
  Finished finished;
  finished.id = id;
  finished.job = job.job;
  finished.work = work.work;
  finished.state = outcome;
  finished.reason = std::move(reason);
  if (const TaskEnd* end = first_end(work, ended_by_itself_badly))
    (end->cause == EndCause::kExited ? finished.exit_code : finished.signal) = end->code;
  finished.attempts = work.attempt;
  finished.submitted = job.submitted;
  finished.started = job.phase == JobPhase::kRunning ? job.lease.start : Instant::far_future();
  finished.ended = now_;
  finished.lease = job.lease;
  if (job.phase == JobPhase::kRunning) state_.effects_.freed = true;
  ++(outcome == JobState::kCancelled ? state_.totals_.cancelled : state_.totals_.ended);
  for (const Dependency& dependency : work.unmet) state_.dependents_.erase({dependency.job, id});
  state_.begins_.erase({work.work->rules.begin, id});
  std::erase(state_.effects_.eligible, id);
  state_.works_.erase(id);
  state_.leave(id);
  state_.effects_.finished.push_back(std::move(finished));
  const bool went_well = outcome == JobState::kCompleted;
  state_.outcomes_[id] = went_well;
  if (state_.outcomes_.size() > limits::kRememberedOutcomes)
    state_.outcomes_.erase(state_.outcomes_.begin());
  release_dependents(id, went_well);
}

// One that waits for another end stays pending, and its reason says that it never starts.
void LiveReducer::release_dependents(JobId id, bool went_well) {
  const auto first = state_.dependents_.lower_bound({id, JobId(0)});
  std::vector<JobId> waiting;
  for (auto at = first; at != state_.dependents_.end() && at->first == id; ++at)
    waiting.push_back(at->second);
  for (const JobId waits : waiting) {
    WorkRecord& work = state_.works_.at(waits);
    std::erase_if(work.unmet, [&](const Dependency& dependency) {
      return dependency.job == id && (dependency.kind == DependencyKind::kAfterAny ||
                                      (dependency.kind == DependencyKind::kAfterOk) == went_well);
    });
    if (std::ranges::none_of(work.unmet, [&](const Dependency& d) { return d.job == id; }))
      state_.dependents_.erase({id, waits});
    reconsider(waits);
  }
}

Status LiveReducer::on(const TimePassed& /*event*/) {
  while (!state_.begins_.empty() && state_.begins_.begin()->first <= now_) {
    const JobId id = state_.begins_.begin()->second;
    state_.begins_.erase(state_.begins_.begin());
    reconsider(id);
  }
  look_after_lost();
  return {};
}

}  // namespace weir::state
