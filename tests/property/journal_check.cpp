#include "property/journal_check.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/engine.hpp"
#include "core/reduce.hpp"
#include "core/replay.hpp"

namespace weir::property {
namespace {

using Bytes8 = std::vector<std::uint8_t>;

Bytes8 joined(std::span<const Bytes8> frames) {
  Bytes8 all;
  for (const Bytes8& frame : frames) all.insert(all.end(), frame.begin(), frame.end());
  return all;
}

Bytes8 bytes_of(const state::State& state) {
  ByteWriter out;
  state.encode(out);
  return {out.bytes().begin(), out.bytes().end()};
}

Status check_replay(const WrittenJournal& journal, const Bytes8& bytes) {
  const auto state = core::replay(bytes);
  if (!state) return corrupt(fmt::format("replay: {}", state.error().message));
  if (bytes_of(*state) != journal.state) return corrupt("replay gives other bytes of state");
  const auto verified = core::verify(bytes);
  if (!verified) return corrupt(fmt::format("verify: {}", verified.error().message));
  if (verified->difference) return corrupt(fmt::format("verify: {}", *verified->difference));
  if (verified->hash != journal.hash) return corrupt("verify reads another journal hash");
  return {};
}

// The same input into a new engine gives the same journal.
Status check_repeat(const WrittenJournal& journal) {
  core::Engine engine = WEIR_TRY(core::Engine::make(journal.settings));
  for (const GivenTurn& turn : journal.given) WEIR_TRY(engine.turn(turn.at, turn.events));
  if (engine.journal_hash() == journal.hash) return {};
  return corrupt("the same input gives another journal hash");
}

// A planner made anew from the recovered state goes on as the old one did.
Status check_restart(const WrittenJournal& journal, const Bytes8& bytes, std::size_t after) {
  const Bytes8 head = joined(std::span(journal.frames).first(after + 1));
  state::State state = WEIR_TRY(core::replay(head));
  sched::Planner planner = WEIR_TRY(sched::Planner::make(journal.settings));
  for (const JobId id : state.jobs())
    if (state.find(id)->phase == state::JobPhase::kPending) planner.submitted(*state.find(id));
  core::JournalReader reader(bytes);
  WEIR_TRY(reader.header());
  for (std::size_t turn = 0; turn < after; ++turn) WEIR_TRY(reader.turn());
  while (!reader.at_end()) {
    const core::TurnRecord turn = WEIR_TRY(reader.turn());
    for (const Event& event : turn.events) WEIR_TRY(core::reduce(state, planner, turn.at, event));
    const std::vector<Decision> planned = planner.plan(state, turn.at, turn.number);
    if (planned != turn.decisions)
      return corrupt(fmt::format("after a restart behind turn {}, turn {} is decided otherwise",
                                 after, turn.number));
    for (const Decision& decision : planned) state.apply(decision);
  }
  return {};
}

}  // namespace

Status check_journal(const WrittenJournal& journal, std::size_t restart_after) {
  const Bytes8 bytes = joined(journal.frames);
  WEIR_TRY(check_replay(journal, bytes));
  WEIR_TRY(check_repeat(journal));
  return check_restart(journal, bytes, restart_after);
}

}  // namespace weir::property
