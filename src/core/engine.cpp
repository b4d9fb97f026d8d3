#include "core/engine.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "core/reduce.hpp"
#include "core/replay.hpp"

namespace weir::core {
namespace {

void add_effects(TurnResult& turn, state::Effects effects) {
  std::ranges::move(effects.commands, std::back_inserter(turn.commands));
  std::ranges::move(effects.finished, std::back_inserter(turn.finished));
}

}  // namespace

Result<Engine> Engine::make(const sched::Settings& settings, FrameSink sink) {
  sched::Planner planner = WEIR_TRY(sched::Planner::make(settings));
  JournalWriter writer(std::move(sink));
  WEIR_TRY(writer.header(settings));
  return Engine(std::move(planner), std::move(writer));
}

Result<Engine> Engine::recover(ByteSpan journal, FrameSink sink) {
  JournalReader reader(journal);
  const sched::Settings settings = WEIR_TRY(reader.header());
  sched::Planner planner = WEIR_TRY(sched::Planner::make(settings));
  state::State state = WEIR_TRY(replay(reader));
  for (const JobId id : state.jobs()) {
    const state::JobRecord& job = *state.find(id);
    if (job.phase == state::JobPhase::kPending) planner.submitted(job);
  }
  Engine engine(std::move(planner), JournalWriter(reader, std::move(sink)));
  engine.state_ = std::move(state);
  engine.turns_ = reader.turns();
  engine.last_ = reader.last();
  return engine;
}

Result<TurnResult> Engine::turn(Instant now, std::vector<Event> events) {
  WEIR_ASSERT(now >= last_);
  if (events.size() > limits::kTurnEvents)
    return over_limit(fmt::format("a turn of {} events: expected at most {}", events.size(),
                                  limits::kTurnEvents));
  TurnResult result;
  TurnRecord record;
  record.at = now;
  for (std::size_t i = 0; i < events.size(); ++i) {
    auto reduced = reduce(state_, planner_, now, events[i]);
    if (!reduced) {
      result.rejected.push_back({i, std::move(reduced).error()});
      continue;
    }
    if (!reduced->submitted.is_none()) result.submitted.push_back(reduced->submitted);
    if (!reduced->to_end.is_none()) result.to_end.push_back(reduced->to_end);
    add_effects(result, std::move(reduced->effects));
    record.events.push_back(std::move(events[i]));
  }
  record.decisions = planner_.plan(state_, now, turns_ + 1);
  for (const Decision& decision : record.decisions) state_.apply(decision);
  add_effects(result, state_.take_effects());
  if (record.events.empty() && record.decisions.empty()) return result;
  last_ = now;
  record.number = ++turns_;
  WEIR_TRY(writer_.turn(record));
  result.number = record.number;
  result.decisions = std::move(record.decisions);
  return result;
}

}  // namespace weir::core
