// Engine: the core's turn. Takes a batch of events, reduces it, plans, records, hands over
// commands. The same engine runs under the simulator and under the live controller; it reads no
// clock.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "core/journal.hpp"
#include "model/command.hpp"
#include "model/decision.hpp"
#include "model/event.hpp"
#include "sched/planner.hpp"
#include "state/state.hpp"

namespace weir::core {

// An event that the state could not take; it is not in the journal.
struct Rejected {
  std::size_t index = 0;  // in the batch
  Error error;
};

struct TurnResult {
  std::uint64_t number = 0;  // 0: nothing happened, nothing was recorded
  std::vector<Decision> decisions;
  std::vector<JobId> submitted;           // the ids of the accepted submissions, in order
  std::vector<JobId> to_end;              // running jobs without a program that were cancelled
  std::vector<Command> commands;          // to leave once the turn is durable
  std::vector<state::Finished> finished;  // works that have left the state
  std::vector<Rejected> rejected;
};

class Engine {
 public:
  // Writes the journal's header. Error when a setting is unknown or the sink fails.
  static Result<Engine> make(const sched::Settings& settings, FrameSink sink = {});

  // The engine as it was when the last whole record was written: nothing is planned again. It goes
  // on writing behind that record. Errors: those of replay(); the written settings are unknown.
  static Result<Engine> recover(ByteSpan journal, FrameSink sink = {});

  // One turn. REQUIRES: `now` is not earlier than in the turn before. Errors: more events than
  // limits::kTurnEvents, and then nothing has happened; or the journal cannot be written, and then
  // nothing of the turn may leave and the engine must not be used further.
  Result<TurnResult> turn(Instant now, std::vector<Event> events);

  [[nodiscard]] const state::State& state() const { return state_; }
  [[nodiscard]] const sched::Planner& planner() const { return planner_; }
  // Of the last turn; the earliest instant before the first.
  [[nodiscard]] Instant last() const { return last_; }
  [[nodiscard]] std::string journal_hash() const { return writer_.hash(); }

 private:
  Engine(sched::Planner planner, JournalWriter writer)
      : planner_(std::move(planner)), writer_(std::move(writer)) {}

  state::State state_;
  sched::Planner planner_;
  JournalWriter writer_;
  std::uint64_t turns_ = 0;
  Instant last_{INT64_MIN};
};

}  // namespace weir::core
