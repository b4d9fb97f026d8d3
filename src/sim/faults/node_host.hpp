// NodeHost: one node of the simulated site: its power, its disk, its clock, its agent, and the
// agent's rim, which does what src/agent does around node::Agent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "node/agent.hpp"
#include "sim/faults/kernel.hpp"
#include "sim/faults/network.hpp"
#include "sim/faults/step_host.hpp"

namespace weir::sim::faults {

class NodeHost {
 public:
  NodeHost(Kernel& kernel, Network& network, Ledger& ledger, std::uint32_t index);
  NodeHost(const NodeHost&) = delete;
  NodeHost& operator=(const NodeHost&) = delete;

  // ---- what happens to it
  void power_on();
  void power_off();
  void crash_agent(std::string_view when);
  bool kill_stepd() { return steps_.kill_one(); }
  // Starts whatever a fault has left dead.
  void mend();

  // ---- what it hears
  void heard(ConnectionId connection, const node::ToAgent& message);
  void heard(const node::BetweenAgents& message);
  void closed(ConnectionId connection);

  [[nodiscard]] bool powered() const { return powered_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const StepHost& steps() const { return steps_; }

 private:
  void start_agent();
  void dial();
  void dial_later();
  void perform(node::Actions actions);
  void wake();
  void schedule_wake();
  [[nodiscard]] Instant clock() const { return steps_.clock.read(kernel_.now()); }

  void carry_out(node::ToTheController& action);
  void carry_out(node::ToPeer& action);
  void carry_out(node::RunStep& action);
  void carry_out(node::StopStep& action);
  void carry_out(node::DropStep& action);
  void carry_out(node::KeepFence& action);
  void carry_out(node::MoveDeadline& action);
  void carry_out(node::CloseSession& action);

  Kernel& kernel_;
  Network& network_;
  std::uint32_t index_;
  std::string name_;
  StepHost steps_;
  // On disk.
  node::KeepFence fence_;
  std::uint64_t boots_ = 0;
  std::uint64_t sessions_ = 0;  // of this boot
  // In memory.
  bool powered_ = false;
  std::optional<node::Agent> agent_;
  std::uint64_t life_ = 0;  // of the agent
  ConnectionId connection_ = 0;
  std::uint64_t wakes_ = 0;
};

// "n7" is the node 7.
std::uint32_t node_index(const std::string& name);

}  // namespace weir::sim::faults
