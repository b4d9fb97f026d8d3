#include "property/stream.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/engine.hpp"
#include "property/compare_placers.hpp"
#include "property/compare_pool.hpp"
#include "property/journal_check.hpp"
#include "property/random_events.hpp"
#include "property/random_site.hpp"
#include "property/slow_reason.hpp"
#include "property/trials.hpp"

namespace weir::property {
namespace {

using slow::Ask;
using slow::Cluster;

sched::Settings random_settings(const Draw& draw) {
  sched::Settings settings;
  settings.order = draw.pick<std::string>({"fifo", "fifo", "sjf", "gputime", "gpus", "priority"});
  settings.placement = draw.pick<std::string>(
      {"weir", "weir", "weir", "firstfit", "random", "slurm", "kueue", "kueue-balanced"});
  if (draw.chance(55)) settings.backfill = sched::Backfill::kEasy;
  settings.order_settings.age_per_point = Duration(draw.between(0, 2) * 20'000'000);
  settings.seed = draw.between(0, 1000);
  settings.refuse_impossible = draw.chance(70);
  return settings;
}

slow::Rules rules_of(const sched::Settings& settings) {
  return {settings.order, settings.placement, settings.backfill == sched::Backfill::kEasy,
          settings.refuse_impossible, settings.order_settings.age_per_point};
}

std::vector<std::uint8_t> bytes_of(const state::State& state) {
  ByteWriter out;
  state.encode(out);
  return {out.bytes().begin(), out.bytes().end()};
}

class Stream {
 public:
  Stream(std::uint64_t seed, Counts& counts)
      : rng_(seed),
        draw_(rng_),
        counts_(counts),
        settings_(random_settings(draw_)),
        random_(draw_),
        model_(rules_of(settings_)) {}

  Status run();

 private:
  Status open();
  Status turn(Instant now, std::vector<Event> events, bool calm);
  // Everything that ends by then, each at its own instant, as exact estimates have it.
  Status let_end_until(Instant then);
  Status check_state();
  Status check_waiting();
  Status probe();
  Status take_in(Instant now, const std::vector<Event>& events, const core::TurnResult& result);

  Rng rng_;
  Draw draw_;
  Counts& counts_;
  sched::Settings settings_;
  RandomEvents random_;
  slow::Site model_;
  // The engine, and a state of our own beside it that takes trials.
  std::optional<core::Engine> engine_;
  state::State shadow_;
  WrittenJournal journal_;
  Instant now_{1'000'000'000};
};

Status Stream::open() {
  journal_.settings = settings_;
  engine_.emplace(WEIR_TRY(core::Engine::make(settings_, [this](ByteSpan frame) -> Status {
    journal_.frames.emplace_back(frame.begin(), frame.end());
    return {};
  })));
  WEIR_TRY(check_state());
  WEIR_TRY(turn(now_, random_.opening(), /*calm=*/false));
  counts_.nodes += model_.cluster().nodes.size();
  return {};
}

Status Stream::run() {
  WEIR_TRY(open());
  for (std::uint32_t left = random_.steps(); left > 0; --left) {
    const Instant then = now_ + random_.gap();
    if (random_.exact()) WEIR_TRY(let_end_until(then));
    now_ = then;
    const bool calm = random_.exact();
    WEIR_TRY(turn(now_, random_.batch(model_), calm));
    if (random_.exact()) WEIR_TRY(let_end_until(now_));
  }
  if (random_.exact() && draw_.chance(50)) WEIR_TRY(let_end_until(Instant::far_future()));
  journal_.hash = engine_->journal_hash();
  journal_.state = bytes_of(engine_->state());
  const std::size_t recorded = journal_.frames.size() - 1;
  return check_journal(journal_, static_cast<std::size_t>(rng_.below(recorded + 1)));
}

Status Stream::let_end_until(Instant then) {
  while (true) {
    Instant next = Instant::far_future();
    for (const auto& [job, lease] : model_.cluster().leases) next = std::min(next, lease.until);
    if (next > then || next == Instant::far_future()) return {};
    std::vector<Event> ends;
    for (const auto& [job, lease] : model_.cluster().leases)
      if (lease.until == next) ends.emplace_back(JobEnded{job});
    now_ = std::max(now_, next);
    WEIR_TRY(turn(now_, std::move(ends), /*calm=*/true));
  }
}

// Takes the accepted events into model and shadow; the others must have been bad on purpose.
Status Stream::take_in(Instant now, const std::vector<Event>& events,
                       const core::TurnResult& result) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool rejected = std::ranges::any_of(
        result.rejected, [&](const core::Rejected& one) { return one.index == i; });
    if (rejected != random_.is_bad(events[i], model_))
      return corrupt(rejected ? "a good event was rejected" : "a bad event was taken");
    if (rejected) {
      ++counts_.rejected;
      continue;
    }
    model_.apply(now, events[i]);
    WEIR_TRY(shadow_.apply(now, events[i]));
  }
  return {};
}

Status Stream::turn(Instant now, std::vector<Event> events, bool calm) {
  ++counts_.turns;
  journal_.given.push_back({now, events});
  const core::TurnResult result = WEIR_TRY(engine_->turn(now, events));
  const auto checked = [&]() -> Status {
    WEIR_TRY(take_in(now, events, result));
    WEIR_TRY(model_.settle(now, result.decisions, calm, counts_.tally));
    for (const Decision& decision : result.decisions) {
      WEIR_TRY(shadow_.check(decision));
      shadow_.apply(decision);
    }
    WEIR_TRY(check_state());
    WEIR_TRY(check_waiting());
    return probe();
  }();
  if (checked) return {};
  return corrupt(fmt::format(
      "turn {} at {} us, {} nodes, {}/{}/{}: {}", journal_.given.size(), now.microseconds(),
      model_.cluster().nodes.size(), settings_.order, settings_.placement,
      settings_.backfill == sched::Backfill::kEasy ? "easy" : "none", checked.error().message));
}

Status Stream::check_state() {
  if (bytes_of(engine_->state()) != bytes_of(shadow_))
    return corrupt("the engine's state differs from its events and decisions applied");
  return compare_pool(engine_->state().pool(), model_.cluster());
}

// Promises as recorded, none of those that run, and the reason of some that wait.
Status Stream::check_waiting() {
  for (const auto& [id, lease] : model_.cluster().leases) {
    const state::JobRecord* record = engine_->state().find(id);
    if (record == nullptr || record->phase != state::JobPhase::kRunning || record->lease != lease ||
        record->promised != Instant::far_future())
      return corrupt(fmt::format("job {} is not recorded as it runs", id.value()));
  }
  std::uint32_t left = 2;
  const std::vector<JobId> queue = model_.queue();
  for (const auto& [id, waiting] : model_.waiting()) {
    const state::JobRecord* record = engine_->state().find(id);
    if (record == nullptr || record->phase != state::JobPhase::kPending)
      return corrupt(fmt::format("job {} is not pending any more", id.value()));
    if (record->promised != waiting.promised)
      return corrupt(fmt::format("job {} has another promise", id.value()));
    if (left == 0 || !draw_.chance(30)) continue;
    --left;
    const Reason reason = engine_->planner().explain(engine_->state(), id);
    const Ask ask = slow::ask_of(waiting.job);
    if (!slow::possible(model_.cluster(), ask)) {
      WEIR_TRY(check_hard(model_.cluster(), ask, reason));
    } else if (!slow::Fit(world_now(model_.cluster()), ask).fits()) {
      WEIR_TRY(check_soft(model_.cluster(), ask, reason));
    } else if (reason.code != ReasonCode::kBehind || queue.empty() ||
               reason.asked != queue.front().value()) {
      return corrupt(fmt::format("job {} fits and waits, but not behind the first in line: {}",
                                 id.value(), sentence(reason)));
    }
  }
  if (engine_->planner().pending() != model_.waiting().size())
    return corrupt("the planner has lost a waiting job, or kept one that is gone");
  return {};
}

Status Stream::probe() {
  const pool::Pool& pool = engine_->state().pool();
  for (std::uint32_t left = draw_.between(0, 2); left > 0; --left) {
    ++counts_.probes;
    WEIR_TRY(compare_placers(pool, model_.cluster(), random_.ask(), rng_));
  }
  if (!draw_.chance(15)) return {};
  return try_and_undo(shadow_, model_.cluster(), random_.asks(), rng_, counts_.trial_steps);
}

}  // namespace

Status run_case(std::uint64_t seed, Counts& counts) {
  ++counts.cases;
  return Stream(seed, counts).run();
}

}  // namespace weir::property
