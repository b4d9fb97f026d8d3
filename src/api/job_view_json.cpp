// A JobView as JSON: every field is always there, null where there is nothing to tell.
#include <fmt/format.h>

#include "api/job_view.hpp"
#include "formats/host_expression.hpp"

namespace weir::api {
namespace {

void time_field(JsonWriter& json, std::string_view key, const std::optional<Instant>& at) {
  json.key(key);
  if (at)
    json.value(time_text(*at));
  else
    json.null();
}

template <typename T>
void field_or_null(JsonWriter& json, std::string_view key, const std::optional<T>& value) {
  json.key(key);
  if (value)
    json.value(*value);
  else
    json.null();
}

void texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& list) {
  json.key(key);
  json.begin_array();
  for (const std::string& text : list) json.value(text);
  json.end_array();
}

std::string node_list(const JobView& view) {
  std::vector<std::string> names;
  for (const JobView::Part& part : view.parts) names.push_back(part.node);
  return host_expression(names);
}

std::optional<std::string_view> name_of(const std::optional<Level>& level) {
  if (!level) return std::nullopt;
  return to_text(*level);
}

std::string_view to_text(StepPhase phase) {
  switch (phase) {
    case StepPhase::kStarting: return "starting";
    case StepPhase::kRunning: return "running";
    case StepPhase::kEnded: return "ended";
  }
  return "ended";
}

std::string_view to_text(EndCause cause) {
  switch (cause) {
    case EndCause::kExited: return "exited";
    case EndCause::kSignalled: return "signalled";
    case EndCause::kNotStarted: return "not started";
    case EndCause::kCancelled: return "cancelled";
    case EndCause::kTimeLimit: return "time limit";
    case EndCause::kLeaseEnded: return "lease ended";
    case EndCause::kOutOfMemory: return "out of memory";
    case EndCause::kWithOthers: return "with others";
    case EndCause::kUnknown: return "unknown";
  }
  return "unknown";
}

std::string_view to_text(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::kAfterOk: return "afterok";
    case DependencyKind::kAfterAny: return "afterany";
    case DependencyKind::kAfterNotOk: return "afternotok";
  }
  return "afterok";
}

// What a row and the whole have in common.
void write_common(JsonWriter& json, const JobView& view) {
  const Gang& gang = view.job.gang;
  json.field("id", view.id.value());
  json.field("name", view.job.name);
  json.field("user", view.job.user);
  json.field("partition", view.job.requirement.partition);
  json.field("state", view.state);
  json.field("reason", view.why.word);
  json.field("why", view.why.sentence);
  json.field("priority", view.job.priority);
  json.field("nodes", gang.node_count());
  json.field("gpus", static_cast<double>(gang.milli_gpus()) / 1000);
  json.field("node_list", node_list(view));
  json.field("attempt", view.attempt);
  time_field(json, "submitted", view.submitted);
  time_field(json, "started", view.started);
  time_field(json, "expected_end", view.expected_end);
}

void write_shape(JsonWriter& json, const Job& job) {
  const Capacity& each = job.gang.per_node;
  json.key("per_node");
  json.begin_object();
  json.field("gpus", static_cast<double>(each.milli_gpus()) / 1000);
  json.field("cpus", each.cpu_milli / 1000.0);
  json.field("memory_mib", each.memory_mib);
  json.end_object();
  texts(json, "gpu_model", job.requirement.gpu_models);
  texts(json, "features", job.requirement.features);
  const TopologyWish& wish = job.wish;
  json.key("topology");
  json.begin_object();
  field_or_null(json, "require", name_of(wish.require));
  field_or_null(json, "prefer", name_of(wish.prefer));
  field_or_null(json, "exclusive", name_of(wish.exclusive));
  json.field("segment_nodes", wish.segment_nodes);
  field_or_null(json, "segment_level",
                wish.segment_nodes > 0 ? name_of(wish.segment_level) : std::nullopt);
  json.end_object();
}

// The environment stays private: it may hold what only the job's user may know.
void write_work(JsonWriter& json, const JobView& view) {
  json.key("program");
  if (view.work == nullptr) {
    json.null();
    return;
  }
  const Program& program = view.work->program;
  json.begin_object();
  texts(json, "command", program.argv);
  json.field("directory", program.directory);
  json.field("output", program.output);
  json.field("error", program.error);
  json.field("tasks_per_node", program.tasks_per_node);
  json.field("uid", program.uid);
  json.field("gid", program.gid);
  json.end_object();
}

void write_rules(JsonWriter& json, const JobView& view) {
  json.key("rules");
  if (view.work == nullptr) {
    json.null();
    return;
  }
  const Rules& rules = view.work->rules;
  const bool limited = rules.time_limit > Duration::zero();
  json.begin_object();
  field_or_null(json, "time_limit_s",
                limited ? std::optional(seconds(rules.time_limit)) : std::nullopt);
  json.field("signal", rules.end_signal);
  json.field("grace_s", seconds(rules.grace));
  json.field("retries", rules.retries);
  json.key("retry_on");
  json.begin_array();
  if (rules.retry_on_failure) json.value("failure");
  if (rules.retry_on_node_failure) json.value("node-failure");
  if (rules.retry_on_time_limit) json.value("time-limit");
  json.end_array();
  json.field("on_partition", rules.on_partition == OnPartition::kEnd ? "end" : "continue");
  time_field(json, "begin", rules.begin == Instant() ? std::nullopt : std::optional(rules.begin));
  json.end_object();
}

void write_part(JsonWriter& json, const JobView::Part& part) {
  json.begin_object();
  json.field("node", part.node);
  json.key("gpus");
  json.begin_array();
  for (std::uint32_t i = 0; i < 32; ++i)
    if ((part.held.gpus >> i & 1U) != 0) json.value(i);
  json.end_array();
  field_or_null(
      json, "gpu_share",
      part.held.gpu_milli > 0 ? std::optional(part.held.gpu_milli / 1000.0) : std::nullopt);
  json.field("cpus", part.held.cpu_milli / 1000.0);
  json.field("memory_mib", part.held.memory_mib);
  field_or_null(json, "tasks", part.phase ? std::optional(to_text(*part.phase)) : std::nullopt);
  json.key("ends");
  json.begin_array();
  for (const TaskEnd& end : part.ends) {
    json.begin_object();
    json.field("rank", end.rank);
    json.field("cause", to_text(end.cause));
    json.field("code", end.code);
    json.field("detail", end.detail);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

void write_row(JsonWriter& json, const JobView& view) {
  json.begin_object();
  write_common(json, view);
  json.end_object();
}

void write_job(JsonWriter& json, const JobView& view) {
  json.begin_object();
  write_common(json, view);
  time_field(json, "running_since", view.running_since);
  time_field(json, "promised", view.promised);
  time_field(json, "ended", view.ended);
  field_or_null(json, "exit_code", view.exit_code);
  field_or_null(json, "signal", view.signal);
  json.field("restarts", view.restarts);
  json.field("held", view.held);
  json.key("waits_for");
  json.begin_array();
  for (const Dependency& one : view.unmet)
    json.value(fmt::format("{}:{}", to_text(one.kind), one.job.value()));
  json.end_array();
  write_shape(json, view.job);
  write_work(json, view);
  write_rules(json, view);
  field_or_null(json, "spans", name_of(view.spans));
  json.key("lease");
  json.begin_array();
  for (const JobView::Part& part : view.parts) write_part(json, part);
  json.end_array();
  texts(json, "failures", view.failures);
  json.end_object();
}

}  // namespace weir::api
