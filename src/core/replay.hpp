// What can be done with a written journal: rebuild the state from it, or plan it again and compare.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "core/journal.hpp"
#include "state/state.hpp"

namespace weir::core {

// Folds events and decisions into a state, without planning. Errors name the byte offset or turn.
Result<state::State> replay(ByteSpan journal);
// The same for what is left behind the header.
Result<state::State> replay(JournalReader& reader);

struct Verification {
  std::uint64_t turns = 0;
  std::uint64_t decisions = 0;
  std::string hash;  // of the journal, hex
  // Where planning again first decides otherwise: the turn, what is written, what is planned.
  std::optional<std::string> difference;
};

// Plans every turn again from the written inputs. Errors are those of replay().
Result<Verification> verify(ByteSpan journal);

// One line about a decision, for people.
std::string describe(const Decision& decision, const state::State& state);

}  // namespace weir::core
