// NodeAgent: the agent of one node. Carries out what its state machine (node/agent.hpp) decides:
// the session to the controller, the steps of the node, the questions of and to witnesses.
//
// One loop on the caller's thread; gRPC's threads only leave messages for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "agent/step_keeper.hpp"
#include "base/result.hpp"
#include "channel/client.hpp"
#include "channel/witness.hpp"
#include "identity/agent_identity.hpp"
#include "node/agent.hpp"
#include "os/inbox.hpp"
#include "os/poller.hpp"

namespace weir::agent {

struct AgentOptions {
  std::string name;             // of the node
  std::filesystem::path state;  // a folder of its own
  std::string controller;  // host:port of its agents' listener; empty: as it was told on joining
  std::string joining;     // host:port where nodes join, with `token`; only for the first start
  std::string token;
  std::string witness = "0.0.0.0:0";  // where it answers as a witness
  NodeKind kind;
  RailMask rails = 0;
  std::vector<node::GpuOfNode> gpus;
  std::filesystem::path stepd;  // empty: beside the running program
  // How long what an ended step wrote can still be read.
  Duration keep_output{std::int64_t{600} * 1'000'000};
  std::function<void(std::string_view line)> log = [](std::string_view) {};
};

class NodeAgent : private channel::ClientSink, private channel::WitnessHandler {
 public:
  // Joins if it has not yet; blocks for that. Errors: the token, the state folder, the network.
  static Result<std::unique_ptr<NodeAgent>> open(AgentOptions options);

  // Until `stop` is readable. Steps go on without the agent. Errors: what its folder refuses.
  Status run(int stop);

 private:
  struct SessionOpened {};
  struct SessionClosed {
    std::string why;
  };
  struct Asked {
    node::AskWitness question;
    channel::AnswerWitness answer;
  };
  using Incoming = std::variant<SessionOpened, SessionClosed, channel::FromController, Asked,
                                node::WitnessAnswer, Result<channel::Admission>>;

  // What is kept of an ended step for those who still want to read its output.
  struct Dropped {
    Instant at;
    StepId step;
  };

  NodeAgent(AgentOptions options, identity::AgentIdentity identity,
            std::unique_ptr<StepKeeper> keeper, os::Poller poller, os::BootTimer timer);
  static Status join(const AgentOptions& options, identity::AgentIdentity& identity);
  Status start();

  // channel::ClientSink
  void opened() override { inbox_.push(SessionOpened{}); }
  void received(channel::FromController message) override { inbox_.push(std::move(message)); }
  void closed(const std::string& why) override { inbox_.push(SessionClosed{why}); }
  void failed(const std::string& why) override;
  // channel::WitnessHandler
  void asked(node::AskWitness question, channel::AnswerWitness answer) override {
    inbox_.push(Asked{std::move(question), std::move(answer)});
  }

  Status take(Incoming incoming);
  Status take_message(const channel::FromController& message);
  Status carry_out(node::Actions actions);
  void send(node::ToController message);
  Status run_step(const StepSpec& spec);
  void ask(const node::ToPeer& action);
  void answer_output(const channel::OutputWanted& wanted);
  void connect();
  void drop_old_steps(Instant now);
  void renew_if_due();
  [[nodiscard]] std::filesystem::path fence_file() const { return options_.state / "fence"; }

  AgentOptions options_;
  identity::AgentIdentity identity_;
  std::unique_ptr<StepKeeper> keeper_;
  os::Poller poller_;
  os::BootTimer timer_;
  os::Inbox<Incoming> inbox_;
  std::optional<node::Agent> machine_;
  std::map<std::pair<std::string, std::uint64_t>, channel::AnswerWitness> to_answer_;
  std::vector<Dropped> dropped_;  // by time
  bool renewing_ = false;
  // These call back; they go first.
  std::unique_ptr<channel::WitnessServer> witness_server_;
  std::unique_ptr<channel::WitnessClient> witness_client_;
  std::unique_ptr<channel::Client> client_;
};

}  // namespace weir::agent
