#include "sim/faults/node_host.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir::sim::faults {
namespace {

// In 100,000, before each action.
constexpr std::uint32_t kAgentCrash = 40;
constexpr std::int64_t kDriftPpm = 2000;

}  // namespace

std::uint32_t node_index(const std::string& name) {
  return static_cast<std::uint32_t>(parse_unsigned(std::string_view(name).substr(1)).value_or(0));
}

NodeHost::NodeHost(Kernel& kernel, Network& network, Ledger& ledger, std::uint32_t index)
    : kernel_(kernel),
      network_(network),
      index_(index),
      name_(fmt::format("n{}", index)),
      steps_(kernel, ledger, index) {
  steps_.told = [this](const StepReport& report) {
    if (!agent_) return;
    perform(agent_->step_changed(clock(), report));
    schedule_wake();
  };
}

void NodeHost::power_on() {
  if (std::exchange(powered_, true)) return;
  ++boots_;
  sessions_ = 0;
  const auto drift = static_cast<std::int64_t>(kernel_.below(2 * kDriftPpm + 1)) - kDriftPpm;
  steps_.clock = NodeClock(kernel_.between(ms(0), ms(100'000'000)), drift);
  kernel_.note(name_, fmt::format("boots: {}", boots_));
  start_agent();
}

void NodeHost::power_off() {
  if (!powered_) return;
  kernel_.note(name_, "loses its power");
  powered_ = false;
  agent_.reset();
  ++life_;
  connection_ = 0;
  network_.node_died(index_, /*its_kernel_tells=*/false);
  steps_.power_off();
  kernel_.after(kernel_.between(ms(1000), ms(40'000)), [this] { power_on(); });
}

void NodeHost::crash_agent(std::string_view when) {
  if (!agent_) return;
  kernel_.note(name_, fmt::format("agent crashes {}", when));
  agent_.reset();
  const std::uint64_t life = ++life_;
  connection_ = 0;
  network_.node_died(index_, /*its_kernel_tells=*/true);
  kernel_.after(kernel_.between(ms(100), ms(kernel_.chance(200) ? 60'000 : 3000)), [=, this] {
    if (powered_ && life_ == life) start_agent();
  });
}

void NodeHost::mend() {
  power_on();
  if (!agent_) start_agent();
}

void NodeHost::start_agent() {
  node::AgentSettings settings;
  settings.name = name_;
  settings.boot = fmt::format("{}-boot-{}", name_, boots_);
  settings.kind.total = {4, 64'000, 1024};
  ++life_;
  // Found before there is an agent: nobody is told, the records say it.
  const std::vector<StepReport> kept = steps_.found();
  agent_.emplace(settings, fence_, kept, clock());
  dial();
}

void NodeHost::dial_later() {
  kernel_.after(kernel_.between(ms(300), ms(2500)), [this, life = life_] {
    if (life_ == life && agent_ && connection_ == 0) dial();
  });
}

void NodeHost::dial() {
  connection_ = network_.dial(index_);
  if (connection_ == 0) {
    dial_later();
  } else {
    perform(agent_->connected(clock(), ++sessions_));
  }
  schedule_wake();
}

void NodeHost::closed(ConnectionId connection) {
  if (!agent_ || connection != connection_) return;
  connection_ = 0;
  kernel_.note(name_, "session is gone");
  perform(agent_->disconnected(clock()));
  dial_later();
  schedule_wake();
}

void NodeHost::heard(ConnectionId connection, const node::ToAgent& message) {
  if (!agent_ || connection != connection_) return;
  if (kernel_.strikes(kAgentCrash)) return crash_agent("on a message");
  perform(agent_->take(clock(), message));
  schedule_wake();
}

void NodeHost::heard(const node::BetweenAgents& message) {
  if (!agent_) return;
  perform(agent_->take(clock(), message));
  schedule_wake();
}

void NodeHost::wake() {
  perform(agent_->tick(clock()));
  schedule_wake();
}

void NodeHost::schedule_wake() {
  if (!agent_ || agent_->next_wake() == Instant::far_future()) return;
  const std::uint64_t serial = ++wakes_;
  const Duration wait = std::max(ms(1), steps_.clock.until(kernel_.now(), agent_->next_wake()));
  kernel_.after(wait, [=, this] {
    if (agent_ && wakes_ == serial) wake();
  });
}

void NodeHost::perform(node::Actions actions) {
  for (node::Action& action : actions) {
    if (!agent_) return;
    if (kernel_.strikes(kAgentCrash)) return crash_agent("between two actions");
    std::visit([this](auto& one) { carry_out(one); }, action);
  }
}

void NodeHost::carry_out(node::ToTheController& action) {
  if (const auto* change = std::get_if<node::StepChanged>(&action.message))
    kernel_.note(name_,
                 fmt::format("tells {}.{} phase {}", change->report.step.job.value(),
                             change->report.step.attempt, static_cast<int>(change->report.phase)));
  if (connection_ != 0) network_.send_up(connection_, action.message);
}

void NodeHost::carry_out(node::ToPeer& action) {
  network_.send_datagram(index_, node_index(action.peer.name), action.message);
}

void NodeHost::carry_out(node::RunStep& action) {
  steps_.intend(action.spec);
  if (kernel_.strikes(kAgentCrash)) return crash_agent("before it forks");
  steps_.fork(action.spec, agent_->deadline());
}

void NodeHost::carry_out(node::StopStep& action) {
  kernel_.note(name_, fmt::format("stops {}.{}", action.step.job.value(), action.step.attempt));
  steps_.stop(action.step, action.token, action.cause);
}

void NodeHost::carry_out(node::DropStep& action) { steps_.drop(action.step); }

void NodeHost::carry_out(node::KeepFence& action) { fence_ = action; }

void NodeHost::carry_out(node::MoveDeadline& action) { steps_.move_deadline(action.at); }

void NodeHost::carry_out(node::CloseSession& action) {
  kernel_.note(name_, fmt::format("closes its session: {}", action.reason));
  network_.close_at_node(connection_);
  closed(connection_);
}

}  // namespace weir::sim::faults
