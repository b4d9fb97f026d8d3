// A job as users see it, while it is in the state and after it has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/words.hpp"
#include "base/json.hpp"
#include "base/time.hpp"
#include "model/job.hpp"
#include "model/reason.hpp"
#include "state/state.hpp"

namespace weir::api {

// Plain values: lives longer than the state it was taken from.
struct JobView {
  struct Part {
    std::string node;
    LeasePart held;
    // Of a live job: whether its tasks there are starting, running, ended.
    std::optional<StepPhase> phase;
    std::vector<TaskEnd> ends;
  };

  JobId id;
  Job job;
  std::shared_ptr<const Work> work;  // null for a job without a program
  std::string_view state;
  Why why;
  std::optional<Instant> submitted;
  std::optional<Instant> started;
  std::optional<Instant> running_since;  // all its tasks ran
  std::optional<Instant> expected_end;
  std::optional<Instant> promised;  // start promised by then
  std::optional<Instant> ended;
  std::uint32_t attempt = 0;   // the present or last one; 0: never started
  std::uint32_t restarts = 0;  // that count against its retries
  bool held = false;
  std::vector<Dependency> unmet;
  std::vector<Part> parts;  // in rank order
  std::optional<Level> spans;
  std::vector<std::string> failures;  // "n3: no such program", since a start last went well
  std::optional<std::int64_t> exit_code;
  std::optional<std::int64_t> signal;
};

// `planner`: as for why_waiting().
JobView view_of(const state::State& state, const state::JobRecord& job, const Reason& planner,
                Instant now);
// Node names are those of the state that it has left.
JobView view_of(const state::State& state, const state::Finished& finished);

// The object of GET /v1/jobs/{id}.
void write_job(JsonWriter& json, const JobView& view);
// One element of GET /v1/jobs.
void write_row(JsonWriter& json, const JobView& view);

// The object of GET /v1/jobs/{id} on one line; of a job that has ended this is its record in the
// store.
std::string job_json(const JobView& view);

// What of the queue is asked for.
struct JobQuery {
  std::string user;        // empty: everybody's
  std::string state;       // empty: any; else one of job_state()'s
  JobId after = JobId(0);  // ids above this one
  std::size_t limit = 1000;
};

// GET /v1/jobs: rows by id, and `next`, the id to ask on after when there are more.
// `reasons`: what the planner says of those that wait; a job that is not there has none.
std::string jobs_json(const state::State& state, const std::map<JobId, Reason>& reasons,
                      const JobQuery& query, Instant now);

}  // namespace weir::api
