// State: everything the core knows, as values. The fold of the journal's events and decisions.
//
// Only apply() changes it. Equal journals give equal states, byte for byte (see encode()).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "model/decision.hpp"
#include "model/event.hpp"
#include "pool/pool.hpp"
#include "state/shape_table.hpp"

namespace weir::state {

enum class JobPhase : std::uint8_t { kPending, kRunning };

struct JobRecord {
  JobId id;
  Job job;
  ShapeId shape;
  JobPhase phase = JobPhase::kPending;
  Instant submitted;
  Instant promised = Instant::far_future();  // start promised while pending, else far_future
  Lease lease;                               // while running
};

struct Totals {
  std::uint64_t submitted = 0;
  std::uint64_t started = 0;
  std::uint64_t ended = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t refused = 0;

  friend bool operator==(const Totals&, const Totals&) = default;
};

class State {
 public:
  // Takes the event in. An error says what is wrong with it; the state is then as before.
  Status apply(Instant now, const Event& event);
  // REQUIRES: the decision is possible (the planner's always are; a journal's are checked by
  // check()).
  void apply(const Decision& decision);
  // Whether a decision read from outside is possible now; the error names what is not.
  [[nodiscard]] Status check(const Decision& decision) const;

  [[nodiscard]] const pool::Pool& pool() const { return pool_; }
  // For trials of the planner, which leave the pool as it was.
  [[nodiscard]] pool::Pool& pool() { return pool_; }

  // The job while it is pending or running, else null. Finished jobs leave the state.
  [[nodiscard]] const JobRecord* find(JobId id) const;
  // The job submitted last, or none.
  [[nodiscard]] JobId last_job() const { return JobId(next_job_ - 1); }
  [[nodiscard]] const ShapeTable& shapes() const { return shapes_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
  // Ids of all pending and running jobs, ascending.
  [[nodiscard]] std::vector<JobId> jobs() const;

  // The canonical bytes: equal states, equal bytes.
  void encode(ByteWriter& out) const;

 private:
  Status on(Instant now, const LocalityLearned& event);
  Status on(Instant now, const NodeJoined& event);
  Status on(Instant now, const NodeGraded& event);
  Status on(Instant now, const NodeAvailabilityChanged& event);
  Status on(Instant now, const JobSubmitted& event);
  Status on(Instant now, const JobEnded& event);
  Status on(Instant now, const JobCancelled& event);

  [[nodiscard]] Status require_node(NodeId node) const;
  void leave(JobId id);

  pool::Pool pool_;
  ShapeTable shapes_;
  std::unordered_map<JobId, JobRecord> jobs_;  // looked up only; jobs() gives the order
  std::uint64_t next_job_ = 1;
  Totals totals_;
};

}  // namespace weir::state
