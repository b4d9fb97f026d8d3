#include "core/replay.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/reduce.hpp"

namespace weir::core {
namespace {

std::unexpected<Error> in_turn(std::uint64_t turn, const Error& error) {
  return corrupt(fmt::format("turn {}: {}", turn, error.message));
}

Status apply_checked(state::State& state, const TurnRecord& turn) {
  for (const Decision& decision : turn.decisions) {
    if (const Status possible = state.check(decision); !possible)
      return in_turn(turn.number, possible.error());
    state.apply(decision);
  }
  return {};
}

// The first decision in which the lists part, told in words.
std::string tell_difference(const TurnRecord& turn, const std::vector<Decision>& planned,
                            const state::State& state) {
  const std::vector<Decision>& written = turn.decisions;
  std::size_t i = 0;
  while (i < written.size() && i < planned.size() && written[i] == planned[i]) ++i;
  const auto tell = [&](const std::vector<Decision>& list) {
    return i < list.size() ? describe(list[i], state) : std::string("nothing more");
  };
  return fmt::format("turn {} at {}, decision {}: written: {}; planned again: {}", turn.number,
                     format_instant(turn.at), i + 1, tell(written), tell(planned));
}

}  // namespace

Result<state::State> replay(ByteSpan journal) {
  JournalReader reader(journal);
  WEIR_TRY(reader.header());
  return replay(reader);
}

Result<state::State> replay(JournalReader& reader) {
  state::State state;
  while (!reader.at_end()) {
    const TurnRecord turn = WEIR_TRY(reader.turn());
    for (const Event& event : turn.events)
      if (const Status taken = state.apply(turn.at, event); !taken)
        return in_turn(turn.number, taken.error());
    WEIR_TRY(apply_checked(state, turn));
    state.take_effects();
  }
  return state;
}

Result<Verification> verify(ByteSpan journal) {
  JournalReader reader(journal);
  const sched::Settings settings = WEIR_TRY(reader.header());
  sched::Planner planner = WEIR_TRY(sched::Planner::make(settings));
  state::State state;
  Verification result;
  while (!reader.at_end()) {
    const TurnRecord turn = WEIR_TRY(reader.turn());
    for (const Event& event : turn.events)
      if (const auto reduced = reduce(state, planner, turn.at, event); !reduced)
        return in_turn(turn.number, reduced.error());
    const std::vector<Decision> planned = planner.plan(state, turn.at, turn.number);
    if (planned != turn.decisions) {
      result.difference = tell_difference(turn, planned, state);
      break;
    }
    WEIR_TRY(apply_checked(state, turn));
    state.take_effects();
    ++result.turns;
    result.decisions += turn.decisions.size();
  }
  result.hash = reader.hash();
  return result;
}

std::string describe(const Decision& decision, const state::State& state) {
  if (const auto* started = std::get_if<JobStarted>(&decision)) {
    std::string nodes;
    for (std::size_t i = 0; i < std::min<std::size_t>(started->lease.parts.size(), 4); ++i) {
      const LeasePart& part = started->lease.parts[i];
      nodes += fmt::format("{}{}", i == 0 ? "" : ", ",
                           part.node.index() < state.pool().nodes()
                               ? state.pool().node(part.node).name
                               : fmt::format("node {}", part.node.value()));
      nodes += part.gpu_milli > 0
                   ? fmt::format(" ({}/1000 of GPU 0x{:x})", part.gpu_milli, part.gpus)
                   : fmt::format(" (GPUs 0x{:x})", part.gpus);
    }
    if (started->lease.parts.size() > 4)
      nodes += fmt::format(" and {} more", started->lease.parts.size() - 4);
    return fmt::format("job {} starts on {}", started->job.value(), nodes);
  }
  if (const auto* refused = std::get_if<JobRefused>(&decision))
    return fmt::format("job {} is refused: {}", refused->job.value(), sentence(refused->reason));
  const auto& promised = std::get<StartPromised>(decision);
  return fmt::format(
      "job {} is promised to start by {}", promised.job.value(),
      promised.by == Instant::far_future() ? "nobody knows when" : format_instant(promised.by));
}

}  // namespace weir::core
