#include "sim/faults/kernel.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace weir::sim::faults {

void Kernel::at(Instant instant, std::function<void()> what) {
  due_.push({std::max(instant, now_), order_++, std::move(what)});
}

bool Kernel::run_next() {
  if (due_.empty()) return false;
  now_ = due_.top().at;
  const std::function<void()> what = due_.top().what;
  due_.pop();
  what();
  return true;
}

void Kernel::note(std::string_view who, std::string_view what) {
  std::string line = fmt::format("{:>11.6f} {:<5} {}", seconds(now_ - Instant(0)), who, what);
  for (const char c : line) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  if (keep_notes_) notes_.push_back(std::move(line));
}

void Kernel::violated(std::string what) {
  note("!!", what);
  violations_.push_back(fmt::format("{:.6f}: {}", seconds(now_ - Instant(0)), what));
}

}  // namespace weir::sim::faults
