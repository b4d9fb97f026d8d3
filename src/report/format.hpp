// How the reports write figures and names, so that the terminal, the page and the tests agree.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::report {

// A name from a file made fit to show anywhere: valid UTF-8, with every control character and every
// broken byte replaced by U+FFFD (a terminal must never obey a file name).
std::string clean_text(std::string_view text);

// Characters of a valid UTF-8 text: its columns on a terminal, as far as no wide script is in it.
std::size_t display_width(std::string_view text);

// Cut to `limit` characters, the last one an ellipsis where something was cut.
std::string shortened(std::string_view text, std::size_t limit);

// 13891.14 with one decimal -> "13,891.1"; what is not finite -> "–".
std::string fixed(double number, int decimals);

// A share as people say it: 0.042 -> "4.2 %", 0.61 -> "61 %", 0.0004 -> "0.04 %". Only 1 gives
// "100 %" and only 0 gives "0 %".
std::string percent(double share);

// 17.13 -> "17.1 ×", 312.4 -> "312 ×".
std::string times(double ratio);

// Seconds as two parts for people: 18437.2 -> "5h 07m".
std::string humane_seconds(double seconds);

// "1 job", "2 jobs", "68,510 jobs".
std::string counted(std::size_t number, std::string_view noun);

}  // namespace weir::report
