#include "cli/interrupts.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

namespace weir::cli {
namespace {

// A handler has no other way to know.
std::atomic<int> event_of_handler = -1;

void note_signal(int /*signal*/) {
  const int saved = errno;
  const std::uint64_t one = 1;
  const ssize_t ignored = ::write(event_of_handler, &one, sizeof one);
  static_cast<void>(ignored);
  errno = saved;
}

}  // namespace

Interrupts::Interrupts() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  event_of_handler = event_.get();
  struct sigaction action{};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, &old_int_);
  ::sigaction(SIGTERM, &action, &old_term_);
}

Interrupts::~Interrupts() {
  ::sigaction(SIGINT, &old_int_, nullptr);
  ::sigaction(SIGTERM, &old_term_, nullptr);
  event_of_handler = -1;
}

bool Interrupts::take() const {
  std::uint64_t count = 0;
  return ::read(event_.get(), &count, sizeof count) == sizeof count && count > 0;
}

}  // namespace weir::cli
