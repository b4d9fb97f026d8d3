#include "lab/scenario_run.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/bytes.hpp"
#include "base/text.hpp"
#include "core/engine.hpp"
#include "core/replay.hpp"
#include "lab/scenario_look.hpp"
#include "lab/scenario_site.hpp"

namespace weir::lab {
namespace {

std::vector<std::uint8_t> bytes_of(const state::State& state) {
  ByteWriter out;
  state.encode(out);
  return {out.bytes().begin(), out.bytes().end()};
}

// A feature that one node alone has, for `use`.
std::string mark_of(const std::string& node) { return "only on " + node; }

class Run {
 public:
  explicit Run(const ScenarioCase& one) : case_(one) {}

  ScenarioResult run() {
    if (const Status status = open(); !status) {
      fail(case_.line, status.error().message);
      return std::move(result_);
    }
    for (std::size_t i = 0; i < case_.steps.size();) {
      std::size_t end = i + 1;
      while (end < case_.steps.size() && case_.steps[end].with_last) ++end;
      if (const Status status = step({case_.steps.data() + i, end - i}); !status) {
        fail(case_.steps[i].line, status.error().message);
        return std::move(result_);
      }
      i = end;
    }
    verify();
    return std::move(result_);
  }

 private:
  Status open() {
    const ScenarioSettings& said = case_.settings;
    sched::Settings settings;
    settings.order = said.order;
    settings.placement = said.placement;
    settings.seed = said.seed;
    settings.refuse_impossible = said.refuse_impossible;
    if (said.backfill != "none" && said.backfill != "easy")
      return bad_input(fmt::format("backfill {}: expected none or easy", quoted(said.backfill)));
    if (said.backfill == "easy") settings.backfill = sched::Backfill::kEasy;
    ScenarioSite site = WEIR_TRY(scenario_site(case_));
    view_ = std::move(site.view);
    engine_ = WEIR_TRY(core::Engine::make(settings, sink()));
    std::set<std::string> used;
    for (const ScenarioStep& step : case_.steps)
      if (step.verb == ScenarioVerb::kUse) used.insert(step.names.begin(), step.names.end());
    std::vector<Event> events{LocalityLearned{site.locality}};
    for (Node& node : site.nodes) {
      nodes_.emplace(node.name, NodeId(static_cast<std::uint32_t>(nodes_.size())));
      if (used.contains(node.name)) {
        node.kind.features.push_back(mark_of(node.name));
        std::ranges::sort(node.kind.features);
      }
      events.emplace_back(NodeJoined{std::move(node)});
    }
    const core::TurnResult turn = WEIR_TRY(engine_->turn(now_, std::move(events)));
    if (!turn.rejected.empty()) return std::unexpected(turn.rejected[0].error);
    return {};
  }

  core::FrameSink sink() {
    return [this](ByteSpan frame) -> Status {
      journal_.insert(journal_.end(), frame.begin(), frame.end());
      return {};
    };
  }

  // One turn: a step and those that `and` joins to it.
  Status step(std::span<const ScenarioStep> steps) {
    const ScenarioStep& first = steps.front();
    switch (first.verb) {
      case ScenarioVerb::kExpect: return expect(first);
      case ScenarioVerb::kRestart: return restart(first.line);
      case ScenarioVerb::kTick: now_ = now_ + first.time; return turn({}, {});
      default: break;
    }
    std::vector<Event> events;
    std::vector<std::string> submitted;
    for (const ScenarioStep& one : steps) WEIR_TRY(add_events(one, events, submitted));
    WEIR_TRY(turn(std::move(events), submitted));
    return check_uses(steps);
  }

  Status add_events(const ScenarioStep& step, std::vector<Event>& events,
                    std::vector<std::string>& submitted) {
    for (const std::string& name : step.names) {
      switch (step.verb) {
        case ScenarioVerb::kSubmit: WEIR_TRY(add_job(step, name, {}, events, submitted)); break;
        case ScenarioVerb::kUse:
          WEIR_TRY(node(name));
          WEIR_TRY(add_job(step, "use:" + name, mark_of(name), events, submitted));
          break;
        case ScenarioVerb::kFinish:
        case ScenarioVerb::kCancel: {
          const auto job = jobs_.find(name);
          if (job == jobs_.end())
            return bad_input(fmt::format("no job {} was submitted above", quoted(name)));
          leaving_[job->second.id] = step.verb == ScenarioVerb::kFinish ? "ended" : "cancelled";
          if (step.verb == ScenarioVerb::kFinish)
            events.emplace_back(JobEnded{job->second.id});
          else
            events.emplace_back(JobCancelled{job->second.id});
          break;
        }
        case ScenarioVerb::kGrade:
          events.emplace_back(NodeGraded{WEIR_TRY(node(name)), step.grade});
          break;
        case ScenarioVerb::kDrain:
        case ScenarioVerb::kResume:
        case ScenarioVerb::kDown: {
          const Availability to = step.verb == ScenarioVerb::kDrain    ? Availability::kDrained
                                  : step.verb == ScenarioVerb::kResume ? Availability::kUp
                                                                       : Availability::kDown;
          events.emplace_back(NodeAvailabilityChanged{WEIR_TRY(node(name)), to});
          break;
        }
        default: break;
      }
    }
    return {};
  }

  Status add_job(const ScenarioStep& step, const std::string& name, const std::string& mark,
                 std::vector<Event>& events, std::vector<std::string>& submitted) {
    if (jobs_.contains(name) || std::ranges::find(submitted, name) != submitted.end())
      return bad_input(fmt::format("a job {} was submitted above already", quoted(name)));
    Job job = step.job;
    job.name = name;
    if (!mark.empty()) job.requirement.features.push_back(mark);
    if (step.total_gpus > 0) job.gang = gang_of_gpus(step.total_gpus, gpus_per_node());
    events.emplace_back(JobSubmitted{std::move(job)});
    submitted.push_back(name);
    return {};
  }

  Status turn(std::vector<Event> events, const std::vector<std::string>& submitted) {
    const core::TurnResult turn = WEIR_TRY(engine_->turn(now_, std::move(events)));
    if (!turn.rejected.empty()) return std::unexpected(turn.rejected[0].error);
    for (std::size_t i = 0; i < submitted.size(); ++i)
      jobs_[submitted[i]] = {turn.submitted[i], "pending", {}};
    // There are no tasks that would take time to end.
    if (!turn.to_end.empty()) {
      std::vector<Event> ends;
      for (const JobId job : turn.to_end) ends.emplace_back(JobEnded{job});
      WEIR_TRY(engine_->turn(now_, std::move(ends)));
    }
    for (auto& [name, job] : jobs_) {
      const state::JobRecord* record = engine_->state().find(job.id);
      if (record != nullptr)
        job.phase = record->phase == state::JobPhase::kRunning ? "running" : "pending";
      else if (const auto left = leaving_.find(job.id); left != leaving_.end())
        job.phase = left->second;
    }
    for (const Decision& decision : turn.decisions) {
      const auto* refused = std::get_if<JobRefused>(&decision);
      if (refused == nullptr) continue;
      for (auto& [name, job] : jobs_)
        if (job.id == refused->job) job = {job.id, "refused", refused->reason};
    }
    return {};
  }

  Status check_uses(std::span<const ScenarioStep> steps) const {
    for (const ScenarioStep& step : steps)
      for (const std::string& name : step.names)
        if (step.verb == ScenarioVerb::kUse && jobs_.at("use:" + name).phase != "running")
          return bad_input(
              fmt::format("{} has not that much free, or a job is before it", quoted(name)));
    return {};
  }

  Status expect(const ScenarioStep& step) {
    ++result_.expectations;
    const ScenarioWorld world{engine_->state(), engine_->planner(), jobs_, nodes_,
                              view_ ? &*view_ : nullptr};
    const auto differences = WEIR_TRY(look(world, step.expectation));
    for (const Difference& difference : differences)
      result_.failures.push_back(
          {step.line, difference.what, difference.expected, difference.found});
    return {};
  }

  // The process dies and another one reads the journal.
  Status restart(std::size_t line) {
    ++result_.restarts;
    const std::vector<std::uint8_t> before = bytes_of(engine_->state());
    const std::vector<std::uint8_t> written = journal_;
    engine_.reset();
    engine_ = WEIR_TRY(core::Engine::recover(written, sink()));
    if (bytes_of(engine_->state()) != before)
      result_.failures.push_back({line, "state after the restart", "as before", "another"});
    return {};
  }

  void verify() {
    const auto verification = core::verify(journal_);
    if (!verification) return fail(case_.line, verification.error().message);
    if (verification->difference)
      result_.failures.push_back({case_.line, "the journal planned again", "the same decisions",
                                  *verification->difference});
  }

  void fail(std::size_t line, std::string what) {
    result_.failures.push_back({line, std::move(what), {}, {}});
  }

  Result<NodeId> node(const std::string& name) const {
    const auto found = nodes_.find(name);
    if (found == nodes_.end())
      return bad_input(fmt::format("the case has no node {}", quoted(name)));
    return found->second;
  }

  [[nodiscard]] std::uint32_t gpus_per_node() const {
    std::uint32_t most = 1;
    for (const ScenarioNodes& nodes : case_.nodes) most = std::max(most, nodes.kind.total.gpus);
    return most;
  }

  const ScenarioCase& case_;
  ScenarioResult result_;
  std::optional<fabric::SiteView> view_;
  std::optional<core::Engine> engine_;
  std::vector<std::uint8_t> journal_;
  Instant now_{kScenarioBegin};
  std::map<std::string, ScenarioJob> jobs_;
  std::map<std::string, NodeId> nodes_;
  std::map<JobId, std::string> leaving_;
};

}  // namespace

ScenarioResult run(const ScenarioCase& one) { return Run(one).run(); }

}  // namespace weir::lab
