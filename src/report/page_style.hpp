// The style sheet and the script of the page. Both are part of the file: it loads nothing.
#pragma once

#include <string>
#include <string_view>

namespace weir::report {

// CSS with the colours of both palettes: dark where the reader's system is, or by the switch.
// Free of "<" and "&", so that the page is well-formed XML too.
std::string style_sheet();

// The switch between light and dark (also by #dark and #light in the address), the runs brought out
// under the pointer, and the read-out over the charts of time. Without it the page is complete.
extern const std::string_view kScript;

}  // namespace weir::report
