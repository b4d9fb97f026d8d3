// ControllerHost: the simulated controller: the real engine and desk around a disk that forgets
// what was not synced. Answers to clients and commands to agents leave when their turn is on disk.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/engine.hpp"
#include "engine/agent_desk.hpp"
#include "sim/faults/kernel.hpp"
#include "sim/faults/ledger.hpp"
#include "sim/faults/network.hpp"

namespace weir::sim::faults {

class ControllerHost {
 public:
  ControllerHost(Kernel& kernel, Network& network, Ledger& ledger);
  ControllerHost(const ControllerHost&) = delete;
  ControllerHost& operator=(const ControllerHost&) = delete;

  // The site's tree, before the first node.
  void create(const Locality& locality);
  void crash(std::string_view when);
  // Starts it if it is dead.
  void mend();

  // ---- clients
  // False: it is down, nobody hears. An answer is given once the job is on disk, or never.
  bool submit(WorkSubmitted submission, std::function<void(JobId)> answer);
  void say(Event event);

  // ---- agents
  void heard(ConnectionId connection, const node::ToController& message);
  void closed(ConnectionId connection);

  [[nodiscard]] bool up() const { return engine_ != nullptr; }
  // REQUIRES: up().
  [[nodiscard]] const state::State& state() const { return engine_->state(); }
  // On disk: jobs that have ended, and all turns.
  [[nodiscard]] const std::map<JobId, state::Finished>& history() const { return history_; }
  [[nodiscard]] ByteSpan journal() const { return journal_; }
  [[nodiscard]] std::uint64_t crashes() const { return crashes_; }
  [[nodiscard]] std::size_t unsynced() const { return pending_.size(); }

 private:
  using Bytes = std::vector<std::uint8_t>;
  using Answer = std::function<void(JobId)>;
  struct Queued {
    Event event;
    Answer answer;
  };
  // A turn that is not on disk yet.
  struct Pending {
    std::uint64_t turn = 0;
    Bytes frame;
    Bytes state;
    std::vector<std::pair<JobId, Answer>> answers;
    std::vector<state::Finished> finished;
  };

  void start();
  void tick();
  void queue(Event event, Answer answer = {});
  void take(engine::DeskWork work);
  void turn();
  void check(const core::TurnResult& turn);
  void sync();
  void synced(std::size_t count);
  void keep(Pending& pending);
  core::FrameSink sink();
  engine::DeskSite desk_site();
  // Runs later in this life of the controller, or not at all.
  void later(Duration delay, std::function<void()> what);

  Kernel& kernel_;
  Network& network_;
  Ledger& ledger_;
  // On disk.
  Bytes journal_;
  Bytes durable_state_;
  std::map<JobId, state::Finished> history_;
  // In memory.
  std::unique_ptr<core::Engine> engine_;
  std::optional<engine::AgentDesk> desk_;
  std::vector<Queued> queue_;
  std::vector<Pending> pending_;
  Bytes frame_;
  bool turn_is_due_ = false;
  bool syncing_ = false;
  std::uint64_t life_ = 0;
  std::uint64_t crashes_ = 0;
};

// What the simulated stepds are told of a step: GPUs by number, and the program as it is.
StepSpec spec_of(const state::State& state, NodeId node, StepId step);

}  // namespace weir::sim::faults
