// What must hold of a written journal: it rebuilds the state, planning again decides the same, and
// so does a controller that restarts in the middle.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "core/journal.hpp"

namespace weir::property {

// One turn as it was given to the engine, also those that left no record.
struct GivenTurn {
  Instant at;
  std::vector<Event> events;
};

struct WrittenJournal {
  sched::Settings settings;
  std::vector<std::vector<std::uint8_t>> frames;  // header, then one a recorded turn
  std::vector<GivenTurn> given;
  std::string hash;
  std::vector<std::uint8_t> state;  // bytes at the end
};

// `restart_after` recorded turns the controller is thought to restart.
Status check_journal(const WrittenJournal& journal, std::size_t restart_after);

}  // namespace weir::property
