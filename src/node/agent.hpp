// Agent: the state machine of a node's agent. Pure: instants of the node's monotonic clock come
// in, actions come out; src/agent carries them out, the simulator does the same.
//
// It starts no step twice: what it has been told to start, to end or to forget is known to it
// through stepd's records, also after it was started anew. It ends nothing by itself: when it has
// lost the controller, it asks its witnesses whether they still have it, and moves the deadline at
// which each stepd ends its OnPartition::kEnd step; without an answer the deadline stays.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "node/messages.hpp"

namespace weir::node {

struct ToTheController {
  ToController message;
};
struct ToPeer {
  Peer peer;
  BetweenAgents message;
};
struct RunStep {
  StepSpec spec;
};
// Also of a step that is not here: it must never start. Answered with step_changed(), with this
// token.
struct StopStep {
  StepId step;
  std::uint64_t token = 0;
  EndCause cause = EndCause::kCancelled;
};
struct DropStep {
  StepId step;
};
// What must be durable before any action behind it is carried out.
struct KeepFence {
  std::uint64_t epoch = 0;
  std::uint64_t forgotten = 0;
  friend bool operator==(const KeepFence&, const KeepFence&) = default;
};
// OnPartition::kEnd steps are ended then, unless it is moved again.
struct MoveDeadline {
  Instant at;
};
struct CloseSession {
  std::string reason;
};

using Action = std::variant<ToTheController, ToPeer, RunStep, StopStep, DropStep, KeepFence,
                            MoveDeadline, CloseSession>;
using Actions = std::vector<Action>;

struct AgentSettings {
  std::string name;
  std::string boot;
  std::string version;
  NodeKind kind;
  RailMask rails = 0;
};

class Agent {
 public:
  // `fence` and `kept` are what was durable when the agent started at `now`.
  Agent(AgentSettings settings, const KeepFence& fence, const std::vector<StepReport>& kept,
        Instant now);

  // A session to the controller is open. `session` grows within the boot.
  Actions connected(Instant now, std::uint64_t session);
  Actions disconnected(Instant now);
  Actions take(Instant now, const ToAgent& message);
  Actions take(Instant now, const BetweenAgents& message);
  // A stepd, or its record, says how a step of this node is now.
  Actions step_changed(Instant now, const StepReport& report);
  Actions tick(Instant now);
  // When tick() would do something next.
  [[nodiscard]] Instant next_wake() const;

  [[nodiscard]] bool has_session() const { return session_.has_value(); }
  [[nodiscard]] const std::map<StepId, StepReport>& steps() const { return steps_; }
  // When OnPartition::kEnd steps end as things stand; far_future before the first Welcome.
  [[nodiscard]] Instant deadline() const { return deadline_; }
  // How far the last Welcome's rules go, for those who show them.
  [[nodiscard]] const std::optional<Welcome>& welcome() const { return welcome_; }

 private:
  void on(Instant now, const Welcome& message);
  void on(Instant now, const HeartbeatSeen& message);
  void on(Instant now, const StartStep& message);
  void on(Instant now, const EndStep& message);
  void on(Instant now, const ForgetStep& message);
  void on(Instant now, const WitnessQuery& message);
  void on(Instant now, const AskWitness& message);
  void on(Instant now, const WitnessAnswer& message);

  bool obey(std::uint64_t epoch);
  void send(ToController message);
  void tell(const StepReport& report);
  void beat(Instant now);
  void ask_witnesses(Instant now);
  // There is proof, asked for at this instant, that the controller is there or is down.
  void proved(Instant asked);
  [[nodiscard]] bool controller_answers(Instant now) const;
  Actions take_actions() { return std::exchange(actions_, {}); }

  AgentSettings settings_;
  KeepFence fence_;
  std::map<StepId, StepReport> steps_;
  Instant started_;
  std::optional<Welcome> welcome_;
  std::optional<std::uint64_t> session_;
  Instant session_opened_;
  bool welcomed_ = false;  // in this session
  std::uint64_t beats_ = 0;
  std::map<std::uint64_t, Instant> beats_out_;  // sent in this session, not yet seen
  Instant next_beat_ = Instant::far_future();
  Instant last_word_;        // of the controller, in any session
  std::uint64_t questions_;  // grows; another one in each life of the agent
  std::map<std::uint64_t, Instant> questions_out_;
  Instant deadline_ = Instant::far_future();
  std::map<std::string, Instant> heard_;  // of nodes that asked this witness: when last
  Actions actions_;
};

}  // namespace weir::node
