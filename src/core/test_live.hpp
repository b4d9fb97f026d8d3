// For tests of live jobs: a site whose agents are connected, with a core that is told what nodes
// say, and that keeps its journal.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/replay.hpp"
#include "core/test_journal.hpp"

namespace weir::core::testing {

inline Work a_work(OnPartition on_partition = OnPartition::kContinue) {
  Work work;
  work.program.argv = {"train"};
  work.program.directory = "/";
  work.program.user = "ada";
  work.rules.on_partition = on_partition;
  return work;
}

class LiveSite {
 public:
  explicit LiveSite(std::uint32_t nodes, std::uint32_t units = 1) : recorder(live_settings()) {
    weir::testing::Site site = even_site(1, 1, units, nodes / units);
    for (Node& node : site.nodes) node.availability = Availability::kDown;
    std::vector<Event> events = weir::testing::events_of(site);
    events.emplace_back(ControllerStarted{seconds_long(60), seconds_long(10)});
    turn(std::move(events));
    for (std::uint32_t i = 0; i < nodes; ++i) connect(i);
    for (std::uint32_t i = 0; i < nodes; ++i)
      turn({WitnessesKnown{NodeId(i), state().agent(NodeId(i)).welcome}});
  }

  static sched::Settings live_settings() {
    sched::Settings settings;
    settings.backfill = sched::Backfill::kEasy;
    settings.refuse_impossible = false;
    return settings;
  }

  // One turn, a second after the one before unless told otherwise.
  const TurnResult& turn(std::vector<Event> events, std::int64_t seconds = 1) {
    now += seconds;
    last = recorder.turn(now, std::move(events));
    for (auto& one : last.finished) finished.push_back(one);
    return last;
  }
  void connect(std::uint32_t node, std::uint64_t session = 1, std::string boot = "boot-1",
               std::vector<StepReport> steps = {}) {
    turn({AgentConnected{NodeId(node), std::move(boot), session, std::move(steps)}});
  }
  JobId submit(const Job& job, Work work) {
    turn({WorkSubmitted{job, std::make_shared<const Work>(std::move(work))}});
    return last.submitted.empty() ? JobId::none() : last.submitted.front();
  }
  JobId submit(std::uint32_t nodes, Work work = a_work()) {
    return submit(gang_job(nodes, 8, seconds_long(100)), std::move(work));
  }

  [[nodiscard]] const state::State& state() const { return recorder.engine.state(); }
  [[nodiscard]] StepReport report(JobId job, StepPhase phase,
                                  std::vector<TaskEnd> ends = {}) const {
    const state::WorkRecord& work = *state().work(job);
    return {{job, work.attempt}, work.token, phase, std::move(ends)};
  }
  // The step of the job on this node is now so.
  void running(JobId job, std::uint32_t node) {
    turn({StepReported{NodeId(node), report(job, StepPhase::kRunning)}});
  }
  void ended(JobId job, std::uint32_t node, EndCause cause = EndCause::kExited,
             std::int64_t code = 0, std::string detail = {}) {
    turn({StepReported{
        NodeId(node),
        report(job, StepPhase::kEnded, {{rank_on(job, node), cause, code, std::move(detail)}})}});
  }
  // The rank of the one task of the job on this node.
  [[nodiscard]] std::uint32_t rank_on(JobId job, std::uint32_t node) const {
    const auto nodes = nodes_of(job);
    return static_cast<std::uint32_t>(std::ranges::find(nodes, node) - nodes.begin());
  }
  [[nodiscard]] std::vector<std::uint32_t> nodes_of(JobId job) const {
    std::vector<std::uint32_t> nodes;
    for (const LeasePart& part : state().find(job)->lease.parts) nodes.push_back(part.node.value());
    return nodes;
  }
  [[nodiscard]] bool runs(JobId job) const {
    const state::JobRecord* record = state().find(job);
    return record != nullptr && record->phase == state::JobPhase::kRunning;
  }
  // "start 1.1 on n0, forget 2.1 on n3": the commands of the last turn.
  [[nodiscard]] std::string commands() const;

  Recorder recorder;
  std::int64_t now = 0;
  TurnResult last;
  std::vector<state::Finished> finished;
};

inline std::string LiveSite::commands() const {
  std::string text;
  const auto add = [&](const char* what, NodeId node, StepId step) {
    text += (text.empty() ? "" : ", ") + std::string(what) + " " +
            std::to_string(step.job.value()) + "." + std::to_string(step.attempt) + " on n" +
            std::to_string(node.value());
  };
  for (const Command& command : last.commands) {
    if (const auto* start = std::get_if<StartStepOn>(&command))
      add("start", start->node, start->step);
    if (const auto* end = std::get_if<EndStepOn>(&command)) add("end", end->node, end->step);
    if (const auto* forget = std::get_if<ForgetStepOn>(&command))
      add("forget", forget->node, forget->step);
  }
  return text;
}

}  // namespace weir::core::testing
