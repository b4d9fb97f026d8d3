#include "os/poller.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include <poll.h>
#include <sys/epoll.h>

#include "os/boot_clock.hpp"
#include "os/errors.hpp"

namespace weir::os {
namespace {

// Rounded up: a wait that ends early would spin.
int milliseconds(Duration d) {
  return static_cast<int>(std::clamp<std::int64_t>((d.count() + 999) / 1000, 0, INT_MAX));
}

}  // namespace

Result<Poller> Poller::create() {
  Descriptor fd(::epoll_create1(EPOLL_CLOEXEC));
  if (!fd.is_open()) return system_error("epoll", "cannot be made", errno);
  return Poller(std::move(fd));
}

Status Poller::control(int operation, int fd, std::uint64_t key, Interest interest) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  if (interest == Interest::kReadAndWrite) event.events |= EPOLLOUT;
  event.data.u64 = key;
  if (::epoll_ctl(fd_.get(), operation, fd, &event) != 0)
    return system_error("epoll", "a descriptor cannot be watched", errno);
  return {};
}

Status Poller::watch(int fd, std::uint64_t key, Interest interest) {
  return control(EPOLL_CTL_ADD, fd, key, interest);
}

Status Poller::change(int fd, std::uint64_t key, Interest interest) {
  return control(EPOLL_CTL_MOD, fd, key, interest);
}

void Poller::forget(int fd) { ::epoll_ctl(fd_.get(), EPOLL_CTL_DEL, fd, nullptr); }

std::vector<Ready> Poller::wait(std::optional<Duration> at_most) {
  std::array<epoll_event, 64> events{};
  const int count = ::epoll_wait(fd_.get(), events.data(), static_cast<int>(events.size()),
                                 at_most ? milliseconds(*at_most) : -1);
  std::vector<Ready> ready;
  for (int i = 0; i < count; ++i) {  // an interrupted wait found nothing
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    const std::uint32_t bits = event.events;
    ready.push_back({event.data.u64, (bits & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0,
                     (bits & EPOLLOUT) != 0});
  }
  return ready;
}

bool wait_readable(int fd, Duration at_most) {
  const Duration end = since_boot() + at_most;
  for (;;) {
    pollfd one{fd, POLLIN, 0};
    if (::poll(&one, 1, milliseconds(end - since_boot())) > 0) return true;
    if (since_boot() >= end) return false;
  }
}

}  // namespace weir::os
