#include "controller/requests.hpp"

#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "api/job_view.hpp"
#include "api/node_view.hpp"
#include "base/json.hpp"
#include "formats/job_request.hpp"
#include "formats/json_text.hpp"
#include "os/user.hpp"

namespace weir::controller {
namespace {

enum Route : std::uint32_t {
  kSubmit,
  kJobs,
  kJob,
  kCancel,
  kHold,
  kRelease,
  kRequeue,
  kLogs,
  kNodes,
  kDrain,
  kUndrain,
  kDead,
  kTokens,
  kBackup,
};

net::Response refuse(unsigned status, std::string_view message) {
  return net::error_response(status, message);
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_admin(const net::Request& request, const RequestView& view) {
  return request.peer.uid == 0 || request.peer.uid == view.service_uid;
}

std::string_view query(const net::Request& request, std::string_view name) {
  return request.target.parameter(name).value_or(std::string_view());
}

Outcome submit(const net::Request& request, const RequestView& view) {
  if (!view.closed.empty()) return refuse(503, view.closed);
  const std::string wanted(query(request, "user"));
  auto user = wanted.empty() ? os::find_user(request.peer.uid) : os::find_user(wanted);
  if (!user) return refuse(400, user.error().message);
  if (user->uid != request.peer.uid && !is_admin(request, view))
    return refuse(403, fmt::format("user {} may not submit as {}", request.peer.uid, wanted));
  const auto parsed = parse_job_request_json(request.body);
  if (!parsed) return refuse(400, parsed.error().message);
  auto submission = make_submission(*parsed, {user->name, user->uid, user->gid, false}, view.now);
  if (!submission) return refuse(400, submission.error().message);
  return Change{WorkSubmitted{std::move(submission->job), std::move(submission->work)},
                JobId::none()};
}

Outcome show_jobs(const net::Request& request, const RequestView& view) {
  api::JobQuery asked;
  asked.user = query(request, "user");
  asked.state = query(request, "state");
  if (const auto after = number(query(request, "after"))) asked.after = JobId(*after);
  if (const auto limit = number(query(request, "limit")))
    asked.limit = std::min<std::size_t>(static_cast<std::size_t>(*limit), 10'000);
  std::map<JobId, Reason> reasons;
  for (const JobId id : view.state.jobs()) {
    if (id <= asked.after) continue;
    if (view.state.find(id)->phase == state::JobPhase::kPending)
      reasons.emplace(id, view.planner.explain(view.state, id));
    if (reasons.size() >= asked.limit) break;
  }
  return net::json_response(200, api::jobs_json(view.state, reasons, asked, view.now));
}

Outcome show_job(JobId id, const RequestView& view) {
  if (const state::JobRecord* job = view.state.find(id)) {
    const Reason reason = view.planner.explain(view.state, id);
    return net::json_response(200, api::job_json(api::view_of(view.state, *job, reason, view.now)));
  }
  store::HistoryFilter filter;
  filter.job = id;
  filter.limit = 1;
  const auto ended = view.store.history(filter);
  if (!ended) return refuse(500, ended.error().message);
  if (ended->empty()) return refuse(404, fmt::format("there is no job {}", id.value()));
  return net::json_response(200, ended->front().record);
}

// The job, if it is there and this user may change it.
std::optional<net::Response> may_change(JobId id, const net::Request& request,
                                        const RequestView& view) {
  const state::WorkRecord* work = view.state.work(id);
  if (work == nullptr)
    return refuse(404, fmt::format("job {} is not pending or running", id.value()));
  if (is_admin(request, view) || work->work->program.uid == request.peer.uid) return std::nullopt;
  return refuse(403, fmt::format("job {} belongs to {}", id.value(), work->work->program.user));
}

Outcome change_job(Route route, JobId id, const net::Request& request, const RequestView& view) {
  if (auto refusal = may_change(id, request, view)) return *std::move(refusal);
  if (!view.closed.empty() && route != kCancel) return refuse(503, view.closed);
  switch (route) {
    case kHold: return Change{JobHeld{id}, id};
    case kRelease: return Change{JobReleased{id}, id};
    case kRequeue: return Change{JobRequeued{id}, id};
    default: return Change{JobCancelled{id}, id};
  }
}

Outcome change_node(Route route, std::string_view name, const net::Request& request,
                    const RequestView& view) {
  if (!is_admin(request, view)) return refuse(403, "only an operator may change nodes");
  for (std::uint32_t i = 0; i < view.state.pool().nodes(); ++i) {
    const NodeId node(i);
    if (view.state.pool().node(node).name != name) continue;
    if (route == kDead) return Change{NodeProvedDead{node}, JobId::none()};
    return Change{
        NodeAvailabilityChanged{node, route == kDrain ? Availability::kDrained : Availability::kUp},
        JobId::none()};
  }
  return refuse(404, fmt::format("there is no node {}", name));
}

Outcome make_token(const net::Request& request, const RequestView& view) {
  if (!is_admin(request, view)) return refuse(403, "only an operator may let nodes join");
  constexpr std::uint64_t kLongestLife = 30 * 86'400;
  constexpr std::uint64_t kUsualLife = 3600;
  const std::uint64_t life = number(query(request, "life_s")).value_or(kUsualLife);
  if (life == 0 || life > kLongestLife)
    return refuse(400, fmt::format("life_s: expected 1 to {}", kLongestLife));
  const auto token = view.make_token(std::string(query(request, "node")),
                                     Duration(static_cast<std::int64_t>(life) * 1'000'000));
  if (!token) return refuse(400, token.error().message);
  std::string body = fmt::format(R"({{"token":"{}","joining":"{}"}})", *token, view.joining);
  return net::json_response(201, std::move(body));
}

Outcome back_up(const net::Request& request, const RequestView& view) {
  if (!is_admin(request, view)) return refuse(403, "only an operator may make a backup");
  const std::string path(query(request, "path"));
  if (!path.starts_with('/')) return refuse(400, "path: expected an absolute one");
  if (const Status done = view.store.backup(path); !done) return refuse(400, done.error().message);
  return net::json_response(200, "{}");
}

Outcome show_logs(JobId id, const net::Request& request) {
  const std::uint64_t rank = number(query(request, "rank")).value_or(0);
  return LogsWanted{id, static_cast<std::uint32_t>(rank), query(request, "follow") == "1"};
}

}  // namespace

Requests::Requests() {
  router_.add("POST", "/v1/jobs", kSubmit);
  router_.add("GET", "/v1/jobs", kJobs);
  router_.add("GET", "/v1/jobs/{id}", kJob);
  router_.add("POST", "/v1/jobs/{id}/cancel", kCancel);
  router_.add("POST", "/v1/jobs/{id}/hold", kHold);
  router_.add("POST", "/v1/jobs/{id}/release", kRelease);
  router_.add("POST", "/v1/jobs/{id}/requeue", kRequeue);
  router_.add("GET", "/v1/jobs/{id}/logs", kLogs);
  router_.add("GET", "/v1/nodes", kNodes);
  router_.add("POST", "/v1/nodes/{name}/drain", kDrain);
  router_.add("POST", "/v1/nodes/{name}/undrain", kUndrain);
  router_.add("POST", "/v1/nodes/{name}/dead", kDead);
  router_.add("POST", "/v1/tokens", kTokens);
  router_.add("POST", "/v1/backup", kBackup);
}

Outcome Requests::handle(const net::Request& request, const RequestView& view) const {
  const net::Route route = router_.find(request.method, request.target);
  if (route.status != 200) {
    net::Response response = refuse(route.status, net::status_text(route.status));
    if (!route.allow.empty()) response.fields.push_back({"Allow", route.allow});
    return response;
  }
  JobId id;
  const bool of_a_job = route.handler >= kJob && route.handler <= kLogs;
  if (of_a_job) {
    const auto value = number(route.parameter("id"));
    if (!value) return refuse(400, "job id: expected a number");
    id = JobId(*value);
  }
  switch (static_cast<Route>(route.handler)) {
    case kSubmit: return submit(request, view);
    case kJobs: return show_jobs(request, view);
    case kJob: return show_job(id, view);
    case kLogs: return show_logs(id, request);
    case kNodes: return net::json_response(200, api::nodes_json(view.state));
    case kTokens: return make_token(request, view);
    case kBackup: return back_up(request, view);
    case kDrain:
    case kUndrain:
    case kDead:
      return change_node(static_cast<Route>(route.handler), route.parameter("name"), request, view);
    case kCancel:
    case kHold:
    case kRelease:
    case kRequeue: break;
  }
  return change_job(static_cast<Route>(route.handler), id, request, view);
}

}  // namespace weir::controller
