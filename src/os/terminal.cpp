#include "os/terminal.hpp"

#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.hpp"

namespace weir::os {
namespace {

constexpr unsigned kUsualWidth = 80;
// A narrower or wider claim is a mistake; tables would be unreadable or never end.
constexpr unsigned kWidestTerminal = 1000;

int descriptor(Stream stream) { return stream == Stream::kOutput ? STDOUT_FILENO : STDERR_FILENO; }

}  // namespace

bool is_terminal(Stream stream) { return ::isatty(descriptor(stream)) == 1; }

unsigned terminal_width(Stream stream) {
  winsize size{};
  const bool told = ::ioctl(descriptor(stream), TIOCGWINSZ, &size) == 0;
  return width_rule(std::getenv("COLUMNS"), told ? size.ws_col : 0);
}

bool wants_colour(Stream stream) {
  return colour_rule(is_terminal(stream), std::getenv("NO_COLOR"), std::getenv("TERM"));
}

bool colour_rule(bool terminal, const char* no_color, const char* term) {
  if (no_color != nullptr && *no_color != '\0') return false;
  return terminal && term != nullptr && std::string_view(term) != "dumb";
}

unsigned width_rule(const char* columns, unsigned reported) {
  const auto asked = columns != nullptr ? parse_unsigned(columns) : std::nullopt;
  if (asked && *asked > 0 && *asked <= kWidestTerminal) return static_cast<unsigned>(*asked);
  return reported > 0 && reported <= kWidestTerminal ? reported : kUsualWidth;
}

}  // namespace weir::os
