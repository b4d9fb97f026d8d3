#include "sim/faults/world.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/replay.hpp"
#include "sim/faults/clients.hpp"
#include "sim/faults/controller_host.hpp"
#include "sim/faults/kernel.hpp"
#include "sim/faults/ledger.hpp"
#include "sim/faults/network.hpp"
#include "sim/faults/node_host.hpp"

namespace weir::sim::faults {
namespace {

constexpr Duration kStormy = ms(150'000);
// By then everything must have ended that the faults have left behind.
constexpr Duration kCalm = ms(3'000'000);

Locality two_units() {
  Locality tree;
  tree.known = true;
  tree.levels = {{Level::kUnit, {}}, {Level::kPod, {}}, {Level::kFabric, {}}, {Level::kSite, {}}};
  for (std::uint32_t unit = 0; unit < 2; ++unit) {
    tree.levels[0].domains.push_back({DomainId(unit), fmt::format("u{}", unit)});
    tree.levels[1].domains.push_back({DomainId(0), fmt::format("p{}", unit)});
  }
  tree.levels[2].domains.push_back({DomainId(0), "f0"});
  tree.levels[3].domains.push_back({DomainId::none(), "site"});
  return tree;
}

class World {
 public:
  explicit World(const FaultRun& run)
      : kernel_(run.seed, run.keep_trace),
        nodes_(static_cast<std::uint32_t>(3 + kernel_.below(7))),
        network_(kernel_, nodes_),
        ledger_(kernel_, nodes_),
        controller_(kernel_, network_, ledger_),
        clients_(kernel_, controller_, nodes_) {
    connect_receivers();
    controller_.create(two_units());
    for (std::uint32_t i = 0; i < nodes_; ++i)
      hosts_.push_back(std::make_unique<NodeHost>(kernel_, network_, ledger_, i));
    for (const auto& host : hosts_)
      kernel_.after(kernel_.between(ms(0), ms(3000)), [&host] { host->power_on(); });
  }

  FaultReport run() {
    const std::uint64_t jobs = 10 + kernel_.below(40);
    clients_.work(static_cast<std::uint32_t>(jobs), kStormy);
    next_fault();
    kernel_.at(Instant(0) + kStormy, [this] { calm_down(); });
    while (!over_ && kernel_.violations().empty() && kernel_.run_next()) {
    }
    return report();
  }

 private:
  void connect_receivers() {
    network_.receivers.to_controller = [this](ConnectionId id, const node::ToController& message) {
      controller_.heard(id, message);
    };
    network_.receivers.closed_at_controller = [this](ConnectionId id) { controller_.closed(id); };
    network_.receivers.to_agent = [this](std::uint32_t node, ConnectionId id,
                                         const node::ToAgent& message) {
      hosts_[node]->heard(id, message);
    };
    network_.receivers.closed_at_node = [this](std::uint32_t node, ConnectionId id) {
      hosts_[node]->closed(id);
    };
    network_.receivers.datagram = [this](std::uint32_t node, const node::BetweenAgents& message) {
      hosts_[node]->heard(message);
    };
  }

  NodeHost& any_host() { return *hosts_[kernel_.below(nodes_)]; }

  void next_fault() {
    kernel_.after(kernel_.between(ms(100), ms(12'000)), [this] {
      if (!kernel_.faulty()) return;
      strike();
      next_fault();
    });
  }

  void strike() {
    switch (kernel_.below(12)) {
      case 0:
      case 1: return any_host().crash_agent("by itself");
      case 2:
      case 3: any_host().kill_stepd(); return;
      case 4: return lose_power();
      case 5:
      case 6: return controller_.crash("by itself");
      case 7: return drain();
      case 8: return kill_node_software();
      default: return cut();
    }
  }

  void lose_power() {
    const auto node = static_cast<std::uint32_t>(kernel_.below(nodes_));
    hosts_[node]->power_off();
    if (!kernel_.chance(400) || !controller_.up() || node >= controller_.state().pool().nodes())
      return;
    // An operator sees it, and says so while it is off.
    for (std::uint32_t i = 0; i < controller_.state().pool().nodes(); ++i)
      if (controller_.state().pool().node(NodeId(i)).name == hosts_[node]->name())
        kernel_.after(ms(900), [this, node, i] {
          if (!hosts_[node]->powered()) controller_.say(NodeProvedDead{NodeId(i)});
        });
  }

  void drain() {
    const auto node = static_cast<std::uint32_t>(kernel_.below(nodes_));
    controller_.say(NodeAvailabilityChanged{
        NodeId(node), kernel_.chance(500) ? Availability::kDrained : Availability::kUp});
  }

  // Agent and every stepd at once.
  void kill_node_software() {
    NodeHost& host = any_host();
    host.crash_agent("with its stepds");
    while (host.kill_stepd()) {
    }
  }

  // Groups that do not hear each other, or not in one direction, for a while.
  void cut() {
    std::vector<bool> apart(nodes_ + 1);
    for (std::size_t i = 0; i < apart.size(); ++i) apart[i] = kernel_.chance(350);
    if (kernel_.chance(300)) {
      apart.assign(nodes_ + 1, false);
      apart[1 + kernel_.below(nodes_)] = true;
    }
    const bool both_ways = kernel_.chance(650);
    const Duration lasts = kernel_.between(ms(200), ms(kernel_.chance(500) ? 60'000 : 8000));
    std::string names;
    for (std::size_t i = 0; i < apart.size(); ++i)
      if (apart[i]) names += i == 0 ? " ctl" : fmt::format(" n{}", i - 1);
    kernel_.note("net", fmt::format("apart for {}{}:{}", format_duration(lasts),
                                    both_ways ? "" : ", one way", names));
    set_cut(apart, both_ways, true);
    kernel_.after(lasts, [=, this] { set_cut(apart, both_ways, false); });
  }

  void set_cut(const std::vector<bool>& apart, bool both_ways, bool is_cut) {
    for (Place from = 0; from < apart.size(); ++from)
      for (Place to = 0; to < apart.size(); ++to)
        if (apart[from] && !apart[to]) {
          network_.cut(from, to, is_cut);
          if (both_ways) network_.cut(to, from, is_cut);
        }
  }

  void calm_down() {
    kernel_.note("net", "faults are over");
    kernel_.faults_are_over();
    network_.heal();
    controller_.mend();
    for (const auto& host : hosts_) host->mend();
    for (std::uint32_t i = 0; i < nodes_; ++i)
      controller_.say(NodeAvailabilityChanged{NodeId(i), Availability::kUp});
    look_after_rest();
  }

  void look_after_rest() {
    kernel_.after(ms(5000), [this] {
      clients_.release_all();
      clients_.give_up_hopeless();
      if (is_quiet()) {
        over_ = true;
        return final_check();
      }
      if (kernel_.now() > Instant(0) + kStormy + kCalm) return tell_rest();
      look_after_rest();
    });
  }

  bool is_quiet() {
    return controller_.up() && controller_.state().jobs().empty() && controller_.unsynced() == 0 &&
           ledger_.alive() == 0 && std::ranges::all_of(hosts_, [](const auto& host) {
             return host->steps().records() == 0 && host->steps().living() == 0;
           });
  }

  void tell_rest() {
    for (const JobId id : controller_.state().jobs()) {
      const state::WorkRecord& work = *controller_.state().work(id);
      kernel_.violated(fmt::format("job {} has not ended: phase {}, attempt {}, ending {}",
                                   id.value(),
                                   static_cast<int>(controller_.state().find(id)->phase),
                                   work.attempt, work.ending.has_value()));
    }
    for (const auto& host : hosts_)
      if (host->steps().records() > 0)
        kernel_.violated(
            fmt::format("{} still keeps {} records", host->name(), host->steps().records()));
    if (kernel_.violations().empty()) kernel_.violated("it does not come to rest");
  }

  void final_check() {
    clients_.check();
    if (controller_.state().pool().ledger().leases != 0)
      kernel_.violated("leases are held when all jobs have ended");
    const auto again = core::verify(controller_.journal());
    if (!again) return kernel_.violated("the journal cannot be verified: " + again.error().message);
    if (again->difference) kernel_.violated("planned again: " + *again->difference);
    kernel_.note("ctl", "journal " + again->hash);
  }

  FaultReport report() {
    FaultReport report;
    report.violations = kernel_.violations();
    report.trace = kernel_.notes();
    report.hash = kernel_.hash();
    report.jobs = clients_.acknowledged();
    report.steps = ledger_.steps_started();
    report.controller_crashes = controller_.crashes();
    for (const auto& [id, finished] : controller_.history()) {
      if (finished.state == state::JobState::kUnknown) ++report.unknown_ends;
      if (finished.attempts > 1) ++report.second_attempts;
    }
    return report;
  }

  Kernel kernel_;
  std::uint32_t nodes_;
  Network network_;
  Ledger ledger_;
  ControllerHost controller_;
  Clients clients_;
  std::vector<std::unique_ptr<NodeHost>> hosts_;
  bool over_ = false;
};

}  // namespace

FaultReport run_faults(const FaultRun& run) {
  World world(run);
  return world.run();
}

}  // namespace weir::sim::faults
