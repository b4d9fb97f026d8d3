#include "cli/live_options.hpp"

#include <array>
#include <cstdio>
#include <ctime>

#include <fmt/format.h>

namespace weir::cli {

controller::ControllerOptions live_controller() {
  controller::ControllerOptions options;
  options.settings.order = "priority";
  options.settings.backfill = sched::Backfill::kEasy;
  // What cannot start here may be able to when another node joins.
  options.settings.refuse_impossible = false;
  return options;
}

void log_line(std::string_view line) {
  std::array<char, 32> text{};
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  std::strftime(text.data(), text.size(), "%H:%M:%S", &parts);
  fmt::print(stderr, "{} {}\n", text.data(), line);
}

}  // namespace weir::cli
