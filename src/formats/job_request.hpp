// JobRequest: what a user asks for, the same whether flags, a TOML file or REST JSON said it; and
// the job with its work that follows from it. docs/reference/api.md describes every field.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/job.hpp"
#include "model/program.hpp"

namespace weir {

struct RetryRule {
  std::uint32_t count = 0;
  // After which ends; as Rules.
  bool failure = false;
  bool node_failure = true;
  bool time_limit = false;

  friend bool operator==(const RetryRule&, const RetryRule&) = default;
};

// Not before an instant, or not before so long after the submission.
struct BeginTime {
  std::optional<Instant> at;
  Duration delay{0};

  friend bool operator==(const BeginTime&, const BeginTime&) = default;
};

struct JobRequest {
  std::string name;  // empty: the last part of command[0]
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  std::string directory;  // absolute
  std::string output;
  std::string error;
  std::uint32_t nodes = 1;
  // Of each node. When nothing at all is asked for: one CPU a task.
  std::uint32_t gpus = 0;
  std::uint32_t gpu_milli = 0;  // instead of `gpus`: a share of one GPU, on one node
  std::uint32_t cpu_milli = 0;
  std::uint32_t memory_mib = 0;
  std::uint32_t tasks_per_node = 1;
  std::optional<Duration> time;  // none: no limit, and expected to run kUsualTime
  std::string job_class;         // one of job_classes(); empty: the site's usual one
  std::string partition;
  std::vector<std::string> gpu_models;  // any one of them; sorted, unique
  std::vector<std::string> features;    // all of them; sorted, unique
  std::int64_t priority = 0;
  TopologyWish topology;
  std::uint32_t end_signal = 15;
  Duration grace{30'000'000};
  RetryRule retries;
  bool hold = false;
  BeginTime begin;
  std::vector<Dependency> after;
  std::uint32_t umask = 022;
  OnPartition on_partition = OnPartition::kContinue;

  friend bool operator==(const JobRequest&, const JobRequest&) = default;
};

inline constexpr Duration kUsualTime{std::int64_t{3600} * 1'000'000};

std::span<const std::string_view> job_classes();

// A request as a JSON object, as the API takes it. Errors begin with the JSON pointer of the field
// ("/topology/require: expected …"); the text is no JSON, a field is unknown or there twice, a
// value that no job can have.
Result<JobRequest> parse_job_request_json(std::string_view text);

// A file with one [[job]] table for each job, and [defaults] for what they share; a job's own
// environment and topology add to the shared ones. Errors begin with "file:line: field: ".
Result<std::vector<JobRequest>> parse_job_requests_toml(std::string_view text,
                                                        std::string_view file);

// A flag of the command line, by the name of its field with - for _ and without the first dashes:
// ("gpus-per-node"'s like is "gpus"). The fields of `topology` are flags of their own (require,
// prefer, exclusive, segment "4@unit"), so is retry-on; lists are separated by commas;
// `environment` adds one NAME=value; the text of hold is empty. Errors begin with "--flag: ".
Status set_job_flag(JobRequest& request, std::string_view flag, std::string_view text);

// As one line that parse_job_request_json() reads back the same.
std::string job_request_json(const JobRequest& request);

// Who submits, as the credentials of the connection say.
struct Submitter {
  std::string user;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  bool root_allowed = false;  // by the site
};

struct Submission {
  Job job;
  std::shared_ptr<const Work> work;
  std::string job_class;  // kept for when classes decide; empty: the usual one
};

// Errors: what check() of a job or a work refuses; a job of root.
Result<Submission> make_submission(const JobRequest& request, const Submitter& submitter,
                                   Instant now);

}  // namespace weir
