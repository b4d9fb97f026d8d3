// LiveReducer: how live events change the State. A part of State::apply(), nobody else's.
#pragma once

#include <string>
#include <string_view>

#include "state/state.hpp"

namespace weir::state {

class LiveReducer {
 public:
  LiveReducer(State& state, Instant now) : state_(state), now_(now) {}

  Status on(const ControllerStarted& event);
  Status on(const WorkSubmitted& event);
  Status on(const JobHeld& event);
  Status on(const JobReleased& event);
  Status on(const JobRequeued& event);
  Status on(const AgentConnected& event);
  Status on(const WitnessesKnown& event);
  Status on(const AgentLost& event);
  Status on(const WitnessSaid& event);
  Status on(const NodeProvedDead& event);
  Status on(const StepReported& event);
  Status on(const TimePassed& event);

  // The job has a work. REQUIRES: it is in the state.
  void cancel(JobId id);
  // The planner has started it.
  void started(JobRecord& job);
  // What an operator wants of the node; it takes effect while an agent is connected.
  void wish(NodeId node, Availability availability);

 private:
  // ---- live_jobs.cpp
  Result<WorkRecord*> find_work(JobId id, std::string_view what);
  // Moves it between the queue and those that wait, as its rules say now.
  void reconsider(JobId id);
  void end(JobId id, EndCause cause);
  void settle(JobId id);
  void run_again(JobId id);
  void finish(JobId id, JobState outcome, std::string reason);
  void release_dependents(JobId id, bool went_well);
  [[nodiscard]] bool can_start_elsewhere(JobId id) const;
  // ---- live_nodes.cpp
  AgentRecord& agent(NodeId node);
  Status require_node(NodeId node) const { return state_.require_node(node); }
  Status check_session(const AgentConnected& event);
  // The node is lost from now on.
  void wait_anew(AgentRecord& record);
  void welcome(NodeId node);
  void reconcile(const AgentConnected& event);
  void prove_dead(NodeId node, std::string_view detail);
  // Of all lost nodes, or of one: asks witnesses when it is time, believes them when they agree.
  void look_after_lost();
  void look_after_lost(NodeId node);
  void take_report(NodeId node, const StepReport& report);
  // Ends every step of this node that the predicate of the job allows, as nobody saw it.
  template <typename Which>
  void lose_steps(NodeId node, std::string_view detail, Which which);
  void step_ended(JobId id, StepRecord& step, std::vector<TaskEnd> ends);
  StepRecord* step_on(JobId id, NodeId node);
  void command(Command command) { state_.effects_.commands.push_back(std::move(command)); }

  State& state_;
  Instant now_;
};

}  // namespace weir::state
