// State: everything the core knows, as values. The fold of the journal's events and decisions.
//
// Only apply() changes it. Equal journals give equal states, byte for byte (see encode()).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "model/decision.hpp"
#include "model/event.hpp"
#include "pool/pool.hpp"
#include "state/shape_table.hpp"
#include "state/work.hpp"

namespace weir::state {

enum class JobPhase : std::uint8_t {
  kPending,
  kRunning,
  kWaiting,  // pending, but not in the queue: held, before its begin, behind other jobs
};

struct JobRecord {
  JobId id;
  Job job;
  ShapeId shape;
  JobPhase phase = JobPhase::kPending;
  Instant submitted;
  Instant promised = Instant::far_future();  // start promised while pending, else far_future
  Lease lease;                               // while running
  std::uint64_t start_order = 0;             // of all starts, from 1; while running
  std::vector<NodeId> avoid;                 // where it could not start; sorted
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
  // What has followed since this was called last.
  Effects take_effects() { return std::exchange(effects_, {}); }

  [[nodiscard]] const pool::Pool& pool() const { return pool_; }
  // For trials of the planner, which leave the pool as it was.
  [[nodiscard]] pool::Pool& pool() { return pool_; }

  // The job while it is pending or running, else null. Finished jobs leave the state.
  [[nodiscard]] const JobRecord* find(JobId id) const;
  // Its work; null when it has none.
  [[nodiscard]] const WorkRecord* work(JobId id) const;
  // The job submitted last, or none.
  [[nodiscard]] JobId last_job() const { return JobId(next_job_ - 1); }
  [[nodiscard]] const ShapeTable& shapes() const { return shapes_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
  // Ids of all pending and running jobs, ascending.
  [[nodiscard]] std::vector<JobId> jobs() const;

  // What is known of a node's agent. REQUIRES: the node has joined.
  [[nodiscard]] const AgentRecord& agent(NodeId node) const;
  // How often a controller has opened this state's journal.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  [[nodiscard]] const ControllerStarted& watch_rules() const { return rules_; }
  // When TimePassed would do something next; far_future: never, as things stand.
  [[nodiscard]] Instant next_wake() const;
  // The canonical bytes: equal states, equal bytes.
  void encode(ByteWriter& out) const;

 private:
  friend class LiveReducer;

  Status on(Instant now, const LocalityLearned& event);
  Status on(Instant now, const NodeJoined& event);
  Status on(Instant now, const NodeGraded& event);
  Status on(Instant now, const NodeAvailabilityChanged& event);
  Status on(Instant now, const JobSubmitted& event);
  Status on(Instant now, const JobEnded& event);
  Status on(Instant now, const JobCancelled& event);

  [[nodiscard]] bool awaits_loss(NodeId node) const;
  [[nodiscard]] Status require_node(NodeId node) const;
  JobRecord& add_job(Instant now, const Job& job);
  void leave(JobId id);
  void encode_live(ByteWriter& out) const;

  pool::Pool pool_;
  ShapeTable shapes_;
  std::unordered_map<JobId, JobRecord> jobs_;  // looked up only; jobs() gives the order
  std::uint64_t next_job_ = 1;
  Totals totals_;

  // Live parts; empty where jobs have no programs.
  std::map<JobId, WorkRecord> works_;
  std::vector<AgentRecord> agents_;             // [NodeId]; shorter than the pool: the rest unknown
  std::set<NodeId> lost_;                       // known, but not connected
  std::set<std::pair<Instant, JobId>> begins_;  // works that wait for an instant
  std::set<std::pair<JobId, JobId>> dependents_;  // (awaited, waiting)
  std::map<JobId, bool> outcomes_;                // of the last works that ended: went well
  std::uint64_t epoch_ = 0;
  std::uint64_t tokens_ = 0;
  ControllerStarted rules_;
  Effects effects_;
};

}  // namespace weir::state
