// Live nodes: agents come and go, their steps are reconciled, lost ones are told apart from cut
// off ones.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "state/live_reducer.hpp"

namespace weir::state {
namespace {

constexpr std::size_t kWitnesses = 3;
constexpr std::size_t kFormerBoots = 8;

std::vector<TaskEnd> unseen_ends(const WorkRecord& work, const StepRecord& step,
                                 std::string_view detail) {
  const std::uint32_t tasks = work.work->program.tasks_per_node;
  const auto part = static_cast<std::uint32_t>(&step - work.steps.data());
  std::vector<TaskEnd> ends;
  for (std::uint32_t i = 0; i < tasks; ++i)
    ends.push_back({part * tasks + i, EndCause::kUnknown, 0, std::string(detail)});
  return ends;
}

// An end for each task, by rank. One that the node does not tell was never there where the step was
// taken along before it started; otherwise nobody saw it.
std::vector<TaskEnd> complete(const WorkRecord& work, const StepRecord& step,
                              const std::vector<TaskEnd>& told) {
  std::vector<TaskEnd> ends = unseen_ends(work, step, "its node does not tell its end");
  for (TaskEnd& end : ends) {
    const auto found = std::ranges::find(told, end.rank, &TaskEnd::rank);
    if (found != told.end()) {
      end = *found;
    } else if (work.ending && step.phase == StepPhase::kStarting) {
      end = {end.rank, EndCause::kWithOthers, 0, "ended before it was started"};
    }
  }
  return ends;
}

}  // namespace

Status LiveReducer::on(const ControllerStarted& event) {
  if (event.deadline <= Duration::zero() || event.margin < Duration::zero())
    return bad_input("controller: expected a deadline above zero and a margin not below");
  ++state_.epoch_;
  state_.rules_ = event;
  state_.effects_.freed = true;  // this controller's planner looks at everything anew
  // No session outlives its controller.
  for (std::uint32_t i = 0; i < state_.agents_.size(); ++i)
    if (state_.agents_[i].connected) WEIR_TRY(on(AgentLost{NodeId(i), state_.agents_[i].session}));
  // Nor does what was waited for: while it was down, nodes learnt so and went on, and its clock may
  // have been set.
  for (const NodeId node : state_.lost_) wait_anew(agent(node));
  return {};
}

void LiveReducer::wait_anew(AgentRecord& record) {
  record.since = now_;
  record.query += 1;  // what is still under way answers another question
  record.heard_until.clear();
  record.asked = Instant::far_future();
  record.ask_next = now_ + state_.rules_.deadline + state_.rules_.margin;
}

AgentRecord& LiveReducer::agent(NodeId node) {
  if (state_.agents_.size() <= node.index()) state_.agents_.resize(node.index() + 1);
  return state_.agents_[node.index()];
}

void LiveReducer::wish(NodeId node, Availability availability) {
  AgentRecord& record = agent(node);
  record.wished = availability;
  state_.pool_.set_availability(node, record.connected ? availability : Availability::kDown);
}

Status LiveReducer::check_session(const AgentConnected& event) {
  const AgentRecord& record = agent(event.node);
  if (event.boot.empty() || event.boot.size() > limits::kNameBytes)
    return bad_input("agent: expected a boot id");
  if (event.steps.size() > limits::kStepsPerNode)
    return over_limit(fmt::format("agent: it keeps {} steps; at most {}", event.steps.size(),
                                  limits::kStepsPerNode));
  if (std::ranges::find(record.former_boots, event.boot) != record.former_boots.end())
    return bad_input("agent: a session of a boot that has ended");
  if (record.known && record.boot == event.boot && event.session <= record.session)
    return bad_input("agent: a session that came before the present one");
  return {};
}

Status LiveReducer::on(const AgentConnected& event) {
  WEIR_TRY(require_node(event.node));
  WEIR_TRY(check_session(event));
  if (agent(event.node).known && agent(event.node).boot != event.boot) {
    AgentRecord& record = agent(event.node);
    record.former_boots.push_back(std::move(record.boot));
    if (record.former_boots.size() > kFormerBoots)
      record.former_boots.erase(record.former_boots.begin());
    prove_dead(event.node, "its node was started again");
    agent(event.node).earlier.clear();
    agent(event.node).witnesses.clear();
  }
  AgentRecord& record = agent(event.node);
  record.known = true;
  record.connected = true;
  record.boot = event.boot;
  record.session = event.session;
  record.since = now_;
  state_.lost_.erase(event.node);
  state_.pool_.set_availability(event.node, record.wished);
  state_.effects_.freed = true;
  welcome(event.node);
  for (std::uint32_t i = 0; i < state_.agents_.size(); ++i) {
    const AgentRecord& other = state_.agents_[i];
    if (other.connected && NodeId(i) != event.node && other.witnesses.size() < kWitnesses)
      welcome(NodeId(i));
  }
  reconcile(event);
  return {};
}

// Three witnesses; of other pods where there are, so that one switch does not take all. Those that
// it had stay while they are connected.
void LiveReducer::welcome(NodeId node) {
  AgentRecord& record = agent(node);
  for (const NodeId old : record.witnesses)
    if (std::ranges::find(record.earlier, old) == record.earlier.end())
      record.earlier.push_back(old);
  std::erase_if(record.witnesses, [&](NodeId id) { return !state_.agents_[id.index()].connected; });
  const auto nodes = static_cast<std::uint32_t>(state_.agents_.size());
  const auto& index = state_.pool_.free();
  const std::size_t depth = std::min(index.depth_of(Level::kPod), index.levels() - 1);
  const auto domain = [&](NodeId id) { return index.ancestor(index.cell_of(id), depth); };
  for (const bool elsewhere : {true, false}) {
    for (std::uint32_t step = 1; step < nodes && record.witnesses.size() < kWitnesses; ++step) {
      const NodeId other((node.value() + step) % nodes);
      if (!state_.agents_[other.index()].connected) continue;
      if (elsewhere && domain(other) == domain(node)) continue;
      if (std::ranges::find(record.witnesses, other) == record.witnesses.end())
        record.witnesses.push_back(other);
    }
  }
  ++record.welcome;
  command(WelcomeTo{node});
}

Status LiveReducer::on(const WitnessesKnown& event) {
  WEIR_TRY(require_node(event.node));
  AgentRecord& record = agent(event.node);
  if (record.welcome != event.welcome) return bad_input("agent: it has been welcomed anew");
  record.earlier.clear();
  return {};
}

Status LiveReducer::on(const AgentLost& event) {
  WEIR_TRY(require_node(event.node));
  AgentRecord& record = agent(event.node);
  if (!record.connected || record.session != event.session)
    return bad_input("agent: it has a newer session, or none");
  record.connected = false;
  wait_anew(record);
  state_.lost_.insert(event.node);
  state_.pool_.set_availability(event.node, Availability::kDown);
  state_.effects_.freed = true;  // what is promised may not be possible any more
  return {};
}

Status LiveReducer::on(const WitnessSaid& event) {
  WEIR_TRY(require_node(event.witness));
  WEIR_TRY(require_node(event.about));
  AgentRecord& record = agent(event.about);
  if (record.connected || record.query != event.query || record.asked == Instant::far_future())
    return bad_input("witness: it answers a question that is over");
  record.heard_until[event.witness] = now_ + Duration(-event.unheard.count());
  look_after_lost(event.about);
  return {};
}

Status LiveReducer::on(const NodeProvedDead& event) {
  WEIR_TRY(require_node(event.node));
  if (agent(event.node).connected)
    return bad_input("node: its agent is connected, so it is not dead");
  prove_dead(event.node, "its node is dead");
  return {};
}

Status LiveReducer::on(const StepReported& event) {
  WEIR_TRY(require_node(event.node));
  take_report(event.node, event.report);
  return {};
}

StepRecord* LiveReducer::step_on(JobId id, NodeId node) {
  const auto found = state_.works_.find(id);
  if (found == state_.works_.end()) return nullptr;
  const auto step = std::ranges::find(found->second.steps, node, &StepRecord::node);
  return step == found->second.steps.end() ? nullptr : &*step;
}

void LiveReducer::take_report(NodeId node, const StepReport& report) {
  const JobId id = report.step.job;
  StepRecord* step = step_on(id, node);
  const bool present = step != nullptr && state_.works_.at(id).attempt == report.step.attempt &&
                       state_.works_.at(id).token == report.token;
  if (!present || step->phase == StepPhase::kEnded) {
    // Of the past. What still runs there must not: nobody holds a lease for it.
    if (report.phase == StepPhase::kEnded) {
      command(ForgetStepOn{node, report.step});
    } else {
      command(EndStepOn{node, report.step, report.token, EndCause::kCancelled});
    }
    return;
  }
  WorkRecord& work = state_.works_.at(id);
  if (report.phase == StepPhase::kEnded) {
    command(ForgetStepOn{node, report.step});
    return step_ended(id, *step, complete(work, *step, report.ends));
  }
  if (report.phase == StepPhase::kRunning) step->phase = StepPhase::kRunning;
  if (work.ending) {
    command(EndStepOn{node, report.step, report.token, *work.ending});
    return;
  }
  const bool all = std::ranges::all_of(
      work.steps, [](const StepRecord& one) { return one.phase == StepPhase::kRunning; });
  if (all && work.running_since == Instant::far_future()) work.running_since = now_;
}

// A gang stands and falls together: one step that did not go well takes the others along.
void LiveReducer::step_ended(JobId id, StepRecord& step, std::vector<TaskEnd> ends) {
  WorkRecord& work = state_.works_.at(id);
  step.phase = StepPhase::kEnded;
  step.ends = std::move(ends);
  JobRecord& job = state_.jobs_.at(id);
  const auto not_started = std::ranges::find(step.ends, EndCause::kNotStarted, &TaskEnd::cause);
  if (not_started != step.ends.end() && !work.ending) {
    work.start_failed = true;
    work.failures.push_back({step.node, not_started->detail});
    const auto at = std::ranges::lower_bound(job.avoid, step.node);
    if (at == job.avoid.end() || *at != step.node) job.avoid.insert(at, step.node);
  }
  const bool well = std::ranges::all_of(step.ends, [](const TaskEnd& one) {
    return one.cause == EndCause::kExited && one.code == 0;
  });
  if (!well && !work.ending) end(id, EndCause::kWithOthers);
  const bool all = std::ranges::all_of(
      work.steps, [](const StepRecord& one) { return one.phase == StepPhase::kEnded; });
  if (all) settle(id);
}

template <typename Which>
void LiveReducer::lose_steps(NodeId node, std::string_view detail, Which which) {
  std::vector<JobId> jobs;
  for (const pool::Holding& holding : state_.pool_.node(node).holdings) jobs.push_back(holding.job);
  for (const JobId id : jobs) {
    StepRecord* step = step_on(id, node);
    if (step == nullptr || step->phase == StepPhase::kEnded) continue;
    const WorkRecord& work = state_.works_.at(id);
    if (which(id, work, *step)) step_ended(id, *step, unseen_ends(work, *step, detail));
  }
}

void LiveReducer::prove_dead(NodeId node, std::string_view detail) {
  lose_steps(
      node, detail,
      [](JobId /*id*/, const WorkRecord& /*work*/, const StepRecord& /*step*/) { return true; });
}

void LiveReducer::reconcile(const AgentConnected& event) {
  for (const StepReport& report : event.steps) take_report(event.node, report);
  const auto told = [&](JobId id, std::uint32_t attempt) {
    return std::ranges::any_of(
        event.steps, [&](const StepReport& report) { return report.step == StepId{id, attempt}; });
  };
  lose_steps(event.node, "its node does not know it any more",
             [&](JobId id, const WorkRecord& work, const StepRecord& step) {
               return step.phase == StepPhase::kRunning && !told(id, work.attempt);
             });
  for (const pool::Holding& holding : state_.pool_.node(event.node).holdings) {
    const StepRecord* step = step_on(holding.job, event.node);
    if (step == nullptr || step->phase != StepPhase::kStarting) continue;
    const WorkRecord& work = state_.works_.at(holding.job);
    const StepId id{holding.job, work.attempt};
    if (told(id.job, id.attempt)) continue;
    if (work.ending) {
      command(EndStepOn{event.node, id, work.token, *work.ending});
    } else {
      command(StartStepOn{event.node, id});
    }
  }
}

void LiveReducer::look_after_lost() {
  const std::vector<NodeId> lost(state_.lost_.begin(), state_.lost_.end());
  for (const NodeId node : lost) look_after_lost(node);
}

// A node ends its OnPartition::kEnd steps by itself once the send times of all questions by which
// it learnt that the controller is there, or is down, lie a deadline back. Its session has ended
// at `since`. A witness that answered at R that it had heard nothing for U had heard nothing
// between R - U and `asked`, since it answered after that. So when all of them heard nothing for a
// deadline and a margin before `asked`, the steps have ended, however late messages are.
void LiveReducer::look_after_lost(NodeId node) {
  if (!state_.awaits_loss(node)) return;
  AgentRecord& record = agent(node);
  const Duration enough = state_.rules_.deadline + state_.rules_.margin;
  std::set<NodeId> witnesses(record.witnesses.begin(), record.witnesses.end());
  witnesses.insert(record.earlier.begin(), record.earlier.end());
  if (record.asked != Instant::far_future()) {
    Instant last = record.since;
    bool all = true;
    for (const NodeId witness : witnesses) {
      const auto heard = record.heard_until.find(witness);
      all = all && heard != record.heard_until.end();
      if (heard != record.heard_until.end()) last = std::max(last, heard->second);
    }
    if (all && record.asked - last >= enough) {
      return lose_steps(node, "its node is lost, and ended it at the lease's deadline",
                        [](JobId /*id*/, const WorkRecord& work, const StepRecord& /*step*/) {
                          return work.work->rules.on_partition == OnPartition::kEnd;
                        });
    }
    if (all) record.ask_next = std::min(record.ask_next, last + enough);
  }
  if (now_ < record.ask_next) return;
  ++record.query;
  record.asked = now_;
  record.ask_next = now_ + state_.rules_.deadline;
  record.heard_until.clear();
  for (const NodeId witness : witnesses)
    if (agent(witness).connected) command(AskWitnessOf{witness, node, record.query});
  if (witnesses.empty()) look_after_lost(node);
}

// Whether a step on the lost node waits for the word of witnesses.
bool State::awaits_loss(NodeId node) const {
  if (!lost_.contains(node)) return false;
  return std::ranges::any_of(pool_.node(node).holdings, [&](const pool::Holding& holding) {
    const WorkRecord* found = work(holding.job);
    if (found == nullptr || found->work->rules.on_partition != OnPartition::kEnd) return false;
    return std::ranges::any_of(found->steps, [&](const StepRecord& step) {
      return step.node == node && step.phase != StepPhase::kEnded;
    });
  });
}

Instant State::next_wake() const {
  Instant next = begins_.empty() ? Instant::far_future() : begins_.begin()->first;
  for (const NodeId node : lost_)
    if (awaits_loss(node)) next = std::min(next, agents_[node.index()].ask_next);
  return next;
}

}  // namespace weir::state
