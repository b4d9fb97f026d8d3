#include "formats/job_request.hpp"

#include <array>

#include <fmt/format.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "formats/job_request_values.hpp"

namespace weir {
namespace {

// Fields that have their usual value are left out.
class RequestWriter {
 public:
  std::string write(const JobRequest& request) {
    json_.begin_object();
    write_program(request);
    write_shape(request);
    write_topology(request.topology);
    write_rules(request);
    json_.end_object();
    return json_.text();
  }

 private:
  template <typename T>
  void unless(std::string_view key, const T& value, const T& usual) {
    if (value != usual) json_.field(key, value);
  }
  void list(std::string_view key, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    json_.key(key);
    json_.begin_array();
    for (const std::string& text : texts) json_.value(text);
    json_.end_array();
  }
  void level(std::string_view key, const std::optional<Level>& value) {
    if (value) json_.field(key, to_text(*value));
  }

  void write_program(const JobRequest& request) {
    unless("name", request.name, usual_.name);
    list("command", request.command);
    if (!request.environment.empty()) {
      json_.key("environment");
      json_.begin_object();
      for (const auto& [name, value] : request.environment) json_.field(name, value);
      json_.end_object();
    }
    unless("directory", request.directory, usual_.directory);
    unless("output", request.output, usual_.output);
    unless("error", request.error, usual_.error);
    if (request.umask != usual_.umask) json_.field("umask", fmt::format("{:03o}", request.umask));
  }

  void write_shape(const JobRequest& request) {
    unless("nodes", request.nodes, usual_.nodes);
    unless("gpus", request.gpus, usual_.gpus);
    if (request.gpu_milli != 0) json_.field("gpu_share", request.gpu_milli / 1000.0);
    if (request.cpu_milli != 0) json_.field("cpus", request.cpu_milli / 1000.0);
    unless("memory", request.memory_mib, usual_.memory_mib);
    unless("tasks_per_node", request.tasks_per_node, usual_.tasks_per_node);
    if (request.time) json_.field("time", job_request::duration_text(*request.time));
    unless("class", request.job_class, usual_.job_class);
    unless("partition", request.partition, usual_.partition);
    list("gpu_model", request.gpu_models);
    list("features", request.features);
    unless("priority", request.priority, usual_.priority);
  }

  void write_topology(const TopologyWish& wish) {
    if (wish == usual_.topology) return;
    json_.key("topology");
    json_.begin_object();
    level("require", wish.require);
    level("prefer", wish.prefer);
    if (wish.segment_nodes > 0) {
      json_.key("segment");
      json_.begin_object();
      json_.field("nodes", wish.segment_nodes);
      json_.field("level", to_text(wish.segment_level));
      json_.end_object();
    }
    level("exclusive", wish.exclusive);
    json_.end_object();
  }

  void write_rules(const JobRequest& request) {
    if (request.end_signal != usual_.end_signal)
      json_.field("signal", job_request::signal_name(request.end_signal));
    if (request.grace != usual_.grace)
      json_.field("grace", job_request::duration_text(request.grace));
    if (request.retries != usual_.retries) {
      json_.key("retries");
      json_.begin_object();
      json_.field("count", request.retries.count);
      json_.key("on");
      json_.begin_array();
      if (request.retries.failure) json_.value("failure");
      if (request.retries.node_failure) json_.value("node-failure");
      if (request.retries.time_limit) json_.value("time-limit");
      json_.end_array();
      json_.end_object();
    }
    unless("hold", request.hold, usual_.hold);
    if (request.begin != usual_.begin) json_.field("begin", begin_text(request.begin));
    if (!request.after.empty()) {
      json_.key("after");
      json_.begin_array();
      for (const Dependency& one : request.after)
        json_.value(fmt::format("{}:{}", job_request::to_text(one.kind), one.job.value()));
      json_.end_array();
    }
    if (request.on_partition != usual_.on_partition)
      json_.field("on_partition", job_request::to_text(request.on_partition));
  }

  static std::string begin_text(const BeginTime& begin) {
    if (!begin.at) return "now+" + job_request::duration_text(begin.delay);
    const std::int64_t part = ((begin.at->microseconds() % 1'000'000) + 1'000'000) % 1'000'000;
    return format_instant(*begin.at) + (part == 0 ? "" : fmt::format(".{:06}", part));
  }

  JsonWriter json_{0};
  JobRequest usual_;
};

Gang gang_of(const JobRequest& request) {
  Gang gang;
  gang.nodes = request.nodes;
  gang.per_node = {request.gpus, request.cpu_milli, request.memory_mib, request.gpu_milli};
  if (gang.per_node == Capacity{}) gang.per_node.cpu_milli = request.tasks_per_node * kWholeMilli;
  return gang;
}

Program program_of(const JobRequest& request, const Submitter& submitter) {
  Program program;
  program.argv = request.command;
  for (const auto& [name, value] : request.environment) program.env.push_back(name + "=" + value);
  program.directory = request.directory;
  program.output = request.output;
  program.error = request.error;
  program.tasks_per_node = request.tasks_per_node;
  program.user = submitter.user;
  program.uid = submitter.uid;
  program.gid = submitter.gid;
  program.umask = request.umask;
  return program;
}

Rules rules_of(const JobRequest& request, Instant now) {
  Rules rules;
  rules.time_limit = request.time.value_or(Duration::zero());
  rules.end_signal = request.end_signal;
  rules.grace = request.grace;
  rules.retries = request.retries.count;
  rules.retry_on_failure = request.retries.failure;
  rules.retry_on_node_failure = request.retries.node_failure;
  rules.retry_on_time_limit = request.retries.time_limit;
  rules.on_partition = request.on_partition;
  rules.held = request.hold;
  if (request.begin.at)
    rules.begin = *request.begin.at;
  else if (request.begin.delay > Duration::zero())
    rules.begin = now + request.begin.delay;
  rules.after = request.after;
  return rules;
}

}  // namespace

std::span<const std::string_view> job_classes() {
  static constexpr std::array<std::string_view, 3> kClasses{"training", "inference", "test"};
  return kClasses;
}

std::string job_request_json(const JobRequest& request) { return RequestWriter().write(request); }

Result<Submission> make_submission(const JobRequest& request, const Submitter& submitter,
                                   Instant now) {
  if (submitter.uid == 0 && !submitter.root_allowed)
    return bad_input("jobs do not run as root here: submit as another user");
  Submission submission;
  Job& job = submission.job;
  job.name = request.name;
  if (job.name.empty() && !request.command.empty()) {
    const std::string_view program = request.command.front();
    job.name = program.substr(program.find_last_of('/') + 1).substr(0, 60);
  }
  job.user = submitter.user;
  job.gang = gang_of(request);
  job.requirement.partition = request.partition;
  job.requirement.gpu_models = request.gpu_models;
  job.requirement.features = request.features;
  job.wish = request.topology;
  job.priority = request.priority;
  job.estimate = request.time.value_or(kUsualTime);
  WEIR_TRY(check(job));
  const auto work =
      std::make_shared<const Work>(Work{program_of(request, submitter), rules_of(request, now)});
  WEIR_TRY(check(*work));
  submission.work = work;
  submission.job_class = request.job_class;
  return submission;
}

}  // namespace weir
