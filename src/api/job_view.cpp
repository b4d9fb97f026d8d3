#include "api/job_view.hpp"

#include <fmt/format.h>

namespace weir::api {
namespace {

std::optional<Instant> unless_far(Instant at) {
  if (at == Instant::far_future()) return std::nullopt;
  return at;
}

std::vector<JobView::Part> parts_of(const state::State& state, const Lease& lease) {
  std::vector<JobView::Part> parts;
  for (const LeasePart& part : lease.parts)
    parts.push_back({state.pool().node(part.node).name, part, std::nullopt, {}});
  return parts;
}

void add_work(const state::State& state, const state::WorkRecord& work, JobView& view) {
  view.work = work.work;
  view.running_since = unless_far(work.running_since);
  view.attempt = work.attempt;
  view.restarts = work.restarts;
  view.held = work.held;
  view.unmet = work.unmet;
  for (std::size_t i = 0; i < work.steps.size() && i < view.parts.size(); ++i) {
    view.parts[i].phase = work.steps[i].phase;
    view.parts[i].ends = work.steps[i].ends;
  }
  for (const state::StartFailure& failure : work.failures)
    view.failures.push_back(
        fmt::format("{}: {}", state.pool().node(failure.node).name, failure.detail));
}

}  // namespace

JobView view_of(const state::State& state, const state::JobRecord& job, const Reason& planner,
                Instant now) {
  JobView view;
  view.id = job.id;
  view.job = job.job;
  view.state = job_state(state, job);
  view.why = why_waiting(state, job, planner, now);
  view.submitted = job.submitted;
  view.promised = unless_far(job.promised);
  if (job.phase == state::JobPhase::kRunning) {
    view.started = job.lease.start;
    view.expected_end = job.lease.until;
    view.spans = job.lease.spans;
    view.parts = parts_of(state, job.lease);
    view.attempt = 1;
  }
  if (const state::WorkRecord* work = state.work(job.id)) add_work(state, *work, view);
  return view;
}

JobView view_of(const state::State& state, const state::Finished& finished) {
  JobView view;
  view.id = finished.id;
  view.job = finished.job;
  view.work = finished.work;
  view.state = state::to_text(finished.state);
  view.why = why_ended(finished);
  view.submitted = finished.submitted;
  view.started = unless_far(finished.started);
  view.ended = finished.ended;
  view.attempt = finished.attempts;
  view.parts = parts_of(state, finished.lease);
  if (!view.parts.empty()) view.spans = finished.lease.spans;
  // Nobody saw how it ended, or it never ran: there is no number to tell.
  if (view.started && finished.state != state::JobState::kUnknown) {
    view.exit_code = finished.exit_code;
    view.signal = finished.signal;
  }
  return view;
}

std::string job_json(const JobView& view) {
  JsonWriter json(0);
  write_job(json, view);
  return json.text();
}

std::string jobs_json(const state::State& state, const std::map<JobId, Reason>& reasons,
                      const JobQuery& query, Instant now) {
  JsonWriter json(0);
  json.begin_object();
  json.key("jobs");
  json.begin_array();
  std::size_t written = 0;
  JobId last = JobId::none();
  bool more = false;
  for (const JobId id : state.jobs()) {
    const state::JobRecord& job = *state.find(id);
    if (id <= query.after || (!query.user.empty() && job.job.user != query.user) ||
        (!query.state.empty() && job_state(state, job) != query.state))
      continue;
    if (written == query.limit) {
      more = true;
      break;
    }
    const auto reason = reasons.find(id);
    write_row(json, view_of(state, job, reason == reasons.end() ? Reason{} : reason->second, now));
    last = id;
    ++written;
  }
  json.end_array();
  json.key("next");
  if (more && written > 0)
    json.value(last.value());
  else
    json.null();
  json.end_object();
  return json.text();
}

}  // namespace weir::api
