// What stands behind standard output and standard error: a terminal or not, how wide, in colour or
// not.
#pragma once

#include <cstdint>

namespace weir::os {

enum class Stream : std::uint8_t { kOutput, kError };

bool is_terminal(Stream stream);

// Columns of the terminal, 80 where there is none or it does not say. COLUMNS wins where set.
unsigned terminal_width(Stream stream);

// Whether to colour what goes to `stream`: it is a terminal, TERM is not "dumb" and NO_COLOR
// (no-color.org) is unset or empty.
bool wants_colour(Stream stream);

// The rules alone, for tests: the values of the environment, null where unset.
bool colour_rule(bool terminal, const char* no_color, const char* term);
// `reported` is what the terminal says, 0 when it does not.
unsigned width_rule(const char* columns, unsigned reported);

}  // namespace weir::os
