// Controller: the live service of one site. Brings together core, store, agents and API.
//
// One core thread, the caller's: it takes what HTTP and gRPC threads left in its inbox, runs a turn
// of the engine, hands the turn to the journal thread, and lets answers and commands go when the
// turn is durable.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "channel/server.hpp"
#include "controller/core_clock.hpp"
#include "controller/log_reader.hpp"
#include "controller/requests.hpp"
#include "core/engine.hpp"
#include "engine/agent_desk.hpp"
#include "identity/controller_identity.hpp"
#include "net/server.hpp"
#include "os/boot_clock.hpp"
#include "os/inbox.hpp"
#include "os/poller.hpp"
#include "store/journal_thread.hpp"
#include "store/sqlite_store.hpp"

namespace weir::controller {

struct ControllerOptions {
  std::filesystem::path state;
  std::filesystem::path socket;
  std::string agents = "0.0.0.0:7410";
  std::string joining = "0.0.0.0:7411";
  std::vector<std::string> names = {"localhost", "127.0.0.1"};
  sched::Settings settings;  // of a new store; a store that is there keeps its own
  Duration heartbeat{2'000'000};
  Duration silence{10'000'000};
  Duration deadline{60'000'000};
  Duration margin{10'000'000};
  std::function<void(std::string_view line)> log = [](std::string_view) {};
};

class Controller : private channel::ServerHandler {
 public:
  // Recovers what the store holds and listens. Errors: another controller has the state folder, the
  // store, an address that cannot be listened on.
  static Result<std::unique_ptr<Controller>> open(ControllerOptions options);
  ~Controller() override;

  // Until `stop` is readable. Errors: the store cannot be written any more.
  Status run(int stop);

  [[nodiscard]] std::uint16_t agents_port() const { return agents_->agents_port(); }
  [[nodiscard]] std::uint16_t joining_port() const { return agents_->joining_port(); }
  // Before run(): a token by which a node may join.
  Result<std::string> make_token(std::string_view node, Duration life);

 private:
  struct HttpAsked {
    net::Request request;
    net::Responder responder;
  };
  struct AgentOpened {
    channel::SessionId session;
    std::string node;
    std::string from;
  };
  struct AgentSaid {
    channel::SessionId session;
    channel::FromAgent message;
  };
  struct AgentClosed {
    channel::SessionId session;
  };
  struct RenewalAsked {
    std::string node;
    std::string request;
    channel::Admit admit;
  };
  struct Joining {
    channel::JoinAsked asked;
    channel::Admit admit;
  };
  using Incoming =
      std::variant<HttpAsked, AgentOpened, AgentSaid, AgentClosed, RenewalAsked, Joining>;

  // What is known of a node beside the core: where it is, which GPUs it has.
  struct NodePresence {
    std::string address;  // host
    std::string witness;  // host:port
    std::vector<node::GpuOfNode> gpus;
    std::int64_t skew_us = 0;  // its clock less ours
    channel::SessionId session;
  };

  Controller(ControllerOptions options, std::unique_ptr<store::SqliteStore> store,
             identity::ControllerIdentity identity, os::Poller poller, os::BootTimer timer);
  Status recover();
  Status start();
  core::FrameSink sink();

  // channel::ServerHandler: leave it for the core thread.
  void opened(channel::SessionId session, const std::string& node,
              const std::string& from) override;
  void received(channel::SessionId session, channel::FromAgent message) override;
  void closed(channel::SessionId session, const std::string& why) override;
  void renewal(const std::string& node, const std::string& request, channel::Admit admit) override;
  void join(channel::JoinAsked asked, channel::Admit admit) override;

  void take(Incoming incoming);
  void take(HttpAsked asked);
  void take(AgentOpened opened);
  void take(AgentSaid said);
  void take(AgentClosed closed);
  void take(RenewalAsked asked);
  void take(Joining joining);
  void heard(channel::SessionId session, const node::ToController& message);
  void do_desk(engine::DeskWork work);
  void send(const std::vector<engine::Sent>& messages);
  Status turns();
  Status turn();
  Status journal(core::TurnResult& result, std::vector<Reply> replies);
  void remember(const core::TurnResult& result);
  [[nodiscard]] std::vector<store::FinishedJob> rows(const core::TurnResult& result) const;
  void answer(std::vector<Reply>& replies, const core::TurnResult& turn, const Status& durable);
  [[nodiscard]] StepSpec spec_of(const state::State& state, NodeId node, StepId step) const;
  [[nodiscard]] std::optional<StepPlace> place_of(JobId job, std::uint32_t rank) const;
  [[nodiscard]] RequestView view();
  void set_timer();

  ControllerOptions options_;
  std::unique_ptr<store::SqliteStore> store_;
  identity::ControllerIdentity identity_;
  os::Poller poller_;
  os::BootTimer timer_;
  os::Inbox<Incoming> inbox_;
  CoreClock clock_;
  std::optional<core::Engine> engine_;
  std::unique_ptr<engine::AgentDesk> desk_;
  LogReader logs_;
  std::map<std::string, NodePresence> nodes_;             // by name
  std::map<channel::SessionId, std::string> session_of_;  // node
  std::deque<std::pair<JobId, EndedPlaces>> ended_;       // of the last jobs, for their output
  // For the next turn.
  std::vector<Event> events_;
  std::vector<Reply> replies_;
  std::vector<std::uint8_t> frame_;  // of the turn that the engine has just made
  std::uint64_t durable_ = 0;
  std::optional<Instant> retry_at_;  // the disk was full
  Instant refresh_at_;               // of the own certificate, by the wall clock
  // These call back or write; they go first.
  std::unique_ptr<store::JournalThread> journal_;
  std::unique_ptr<channel::Server> agents_;
  std::unique_ptr<net::Server> http_;
};

}  // namespace weir::controller
