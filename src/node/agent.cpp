#include "node/agent.hpp"

#include <algorithm>
#include <utility>

#include "base/limits.hpp"

namespace weir::node {
namespace {

// Until a Welcome says otherwise.
constexpr Duration kFirstSilence{10'000'000};
// Questions and heartbeats of which an answer is still taken.
constexpr std::size_t kOutstanding = 64;

void remember(std::map<std::uint64_t, Instant>& sent, std::uint64_t number, Instant now) {
  sent.emplace(number, now);
  if (sent.size() > kOutstanding) sent.erase(sent.begin());
}

// An answer to the agent that was here before must not pass for one to this agent.
std::uint64_t first_question(std::string_view boot, Instant now) {
  std::uint64_t number = 14695981039346656037ULL;  // FNV-1a
  for (const char c : boot) number = (number ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return number + static_cast<std::uint64_t>(now.microseconds());
}

// What the disk keeps of a step that never was here has no token.
void learn_token(StepReport& report, std::uint64_t token) {
  if (report.token == 0) report.token = token;
}

std::vector<TaskEnd> refused_ends(const StepSpec& spec, std::string_view why) {
  std::vector<TaskEnd> ends;
  for (const TaskSpec& task : spec.tasks)
    ends.push_back({task.rank, EndCause::kNotStarted, 0, std::string(why)});
  return ends;
}

}  // namespace

Agent::Agent(AgentSettings settings, const KeepFence& fence, const std::vector<StepReport>& kept,
             Instant now)
    : settings_(std::move(settings)),
      fence_(fence),
      started_(now),
      last_word_(now),
      questions_(first_question(settings_.boot, now)) {
  for (const StepReport& report : kept) steps_.emplace(report.step, report);
}

Actions Agent::connected(Instant now, std::uint64_t session) {
  session_ = session;
  session_opened_ = now;
  welcomed_ = false;
  beats_out_.clear();
  last_word_ = now;
  next_beat_ = now + (welcome_ ? welcome_->heartbeat : kFirstSilence);
  Hello hello;
  hello.name = settings_.name;
  hello.boot = settings_.boot;
  hello.version = settings_.version;
  hello.session = session;
  hello.kind = settings_.kind;
  hello.rails = settings_.rails;
  for (const auto& [id, report] : steps_) hello.steps.push_back(report);
  send(std::move(hello));
  return take_actions();
}

Actions Agent::disconnected(Instant now) {
  session_.reset();
  beats_out_.clear();
  next_beat_ = now;
  return tick(now);
}

Actions Agent::take(Instant now, const ToAgent& message) {
  if (!session_) return take_actions();
  std::visit([&](const auto& content) { on(now, content); }, message);
  return take_actions();
}

Actions Agent::take(Instant now, const BetweenAgents& message) {
  std::visit([&](const auto& content) { on(now, content); }, message);
  return take_actions();
}

// A controller that has been followed by another one has nothing to say any more.
bool Agent::obey(std::uint64_t epoch) {
  if (epoch < fence_.epoch) {
    actions_.emplace_back(CloseSession{"the controller has been followed by a newer one"});
    return false;
  }
  if (epoch > fence_.epoch) {
    fence_.epoch = epoch;
    actions_.emplace_back(fence_);
  }
  return true;
}

void Agent::send(ToController message) {
  actions_.emplace_back(ToTheController{std::move(message)});
}

void Agent::tell(const StepReport& report) {
  if (session_) send(StepChanged{report});
}

void Agent::on(Instant now, const Welcome& message) {
  if (message.session != *session_ || !obey(message.epoch)) return;
  last_word_ = now;
  if (welcome_ && welcome_->epoch == message.epoch && message.number < welcome_->number) return;
  welcome_ = message;
  if (!welcomed_) {
    // It answers the Hello of this session.
    welcomed_ = true;
    proved(session_opened_);
  }
  beat(now);
}

void Agent::on(Instant now, const HeartbeatSeen& message) {
  const auto sent = beats_out_.find(message.number);
  if (sent == beats_out_.end()) return;
  last_word_ = now;
  const Instant at = sent->second;
  beats_out_.erase(beats_out_.begin(), std::next(sent));
  proved(at);
}

void Agent::on(Instant now, const StartStep& message) {
  if (!obey(message.epoch)) return;
  last_word_ = now;
  if (!welcomed_) {
    // It would run without a deadline. In the next session it is told again.
    actions_.emplace_back(CloseSession{"a command came before the welcome"});
    return;
  }
  const StepSpec& spec = message.spec;
  if (const auto known = steps_.find(spec.step); known != steps_.end()) {
    learn_token(known->second, spec.token);
    return tell(known->second);
  }
  StepReport report{spec.step, spec.token, StepPhase::kStarting, {}};
  if (spec.token <= fence_.forgotten) {
    // It may have been here: what is forgotten cannot be told apart from what never was.
    report.phase = StepPhase::kEnded;
    report.ends = refused_ends(spec, "the command came late: the node has forgotten newer steps");
    return tell(report);
  }
  if (steps_.size() >= limits::kStepsPerNode) {
    report.phase = StepPhase::kEnded;
    report.ends = refused_ends(spec, "the node keeps as many steps as it may");
    return tell(report);
  }
  steps_.emplace(spec.step, report);
  actions_.emplace_back(RunStep{spec});
}

void Agent::on(Instant now, const EndStep& message) {
  if (!obey(message.epoch)) return;
  last_word_ = now;
  const auto known = steps_.find(message.step);
  if (known != steps_.end()) learn_token(known->second, message.token);
  if (known != steps_.end() && known->second.phase == StepPhase::kEnded) return tell(known->second);
  // From now on it is known, so that no StartStep behind this starts it.
  if (known == steps_.end())
    steps_.emplace(message.step, StepReport{message.step, message.token, StepPhase::kStarting, {}});
  actions_.emplace_back(StopStep{message.step, message.token, message.cause});
}

void Agent::on(Instant now, const ForgetStep& message) {
  if (!obey(message.epoch)) return;
  last_word_ = now;
  const auto known = steps_.find(message.step);
  // One that has not ended is not the controller's to forget.
  if (known == steps_.end() || known->second.phase != StepPhase::kEnded) return;
  if (known->second.token > fence_.forgotten) {
    fence_.forgotten = known->second.token;
    actions_.emplace_back(fence_);
  }
  actions_.emplace_back(DropStep{message.step});
  steps_.erase(known);
}

void Agent::on(Instant now, const WitnessQuery& message) {
  last_word_ = now;
  const auto heard = heard_.find(message.about);
  send(WitnessSays{message.query, message.about,
                   now - (heard == heard_.end() ? started_ : heard->second)});
}

void Agent::on(Instant now, const AskWitness& message) {
  heard_[message.from] = now;
  actions_.emplace_back(ToPeer{
      {message.from, {}}, WitnessAnswer{settings_.name, message.number, controller_answers(now)}});
}

void Agent::on(Instant /*now*/, const WitnessAnswer& message) {
  const auto asked = questions_out_.find(message.number);
  if (asked == questions_out_.end()) return;
  // Only a controller that is down excuses its silence.
  if (!message.has_controller) proved(asked->second);
}

bool Agent::controller_answers(Instant now) const {
  return session_ && welcomed_ && now - last_word_ <= welcome_->silence;
}

void Agent::proved(Instant asked) {
  if (!welcome_) return;
  const Instant at = asked + welcome_->deadline;
  if (deadline_ != Instant::far_future() && at <= deadline_) return;
  deadline_ = at;
  actions_.emplace_back(MoveDeadline{at});
}

Actions Agent::step_changed(Instant /*now*/, const StepReport& report) {
  const auto known = steps_.find(report.step);
  if (known != steps_.end() && known->second.phase >= report.phase &&
      known->second.phase != StepPhase::kStarting)
    return take_actions();
  StepReport now_known = report;
  if (known != steps_.end()) learn_token(now_known, known->second.token);
  steps_[report.step] = now_known;
  tell(now_known);
  return take_actions();
}

void Agent::beat(Instant now) {
  Heartbeat heartbeat;
  heartbeat.number = ++beats_;
  heartbeat.welcome = welcome_ ? welcome_->number : 0;
  remember(beats_out_, heartbeat.number, now);
  send(heartbeat);
  next_beat_ = now + (welcome_ ? welcome_->heartbeat : kFirstSilence);
}

void Agent::ask_witnesses(Instant now) {
  next_beat_ = now + (welcome_ ? welcome_->heartbeat : kFirstSilence);
  if (!welcome_ || welcome_->witnesses.empty()) return;
  ++questions_;
  remember(questions_out_, questions_, now);
  for (const Peer& witness : welcome_->witnesses)
    actions_.emplace_back(ToPeer{witness, AskWitness{settings_.name, questions_}});
}

Actions Agent::tick(Instant now) {
  if (session_ && now - last_word_ > (welcome_ ? welcome_->silence : kFirstSilence)) {
    actions_.emplace_back(CloseSession{"the controller is silent"});
    // The rim answers with disconnected(); not again before.
    last_word_ = now;
  }
  if (now < next_beat_) return take_actions();
  if (!session_) {
    ask_witnesses(now);
  } else if (welcomed_) {
    beat(now);
  } else {
    // Only sessions that were taken have heartbeats, since each is to prove something.
    next_beat_ = now + (welcome_ ? welcome_->heartbeat : kFirstSilence);
  }
  return take_actions();
}

Instant Agent::next_wake() const { return next_beat_; }

}  // namespace weir::node
