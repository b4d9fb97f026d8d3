#include "stepd/watchers.hpp"

#include <utility>

#include "os/boot_clock.hpp"

namespace weir::stepd {
namespace {

constexpr Duration kFinishTime{1'000'000};
// An agent that is so far behind has stopped reading: it gets the present report when it is back.
constexpr std::size_t kMostQueued = 2 * limits::kStepFrameBytes;

}  // namespace

Status Watchers::listen_at(const std::string& path) {
  listener_ = WEIR_TRY(os::listen_local(path));
  return poller_.watch(listener_.get(), first_key_);
}

void Watchers::add(os::Descriptor connection) {
  if (!connection.is_open()) return;
  const std::uint64_t key = first_key_ + ++next_key_;
  if (!poller_.watch(connection.get(), key)) return;
  watchers_.emplace(key, Watcher{os::LocalConnection(std::move(connection))});
}

std::vector<Request> Watchers::on_ready(const os::Ready& ready, const StepReport& report) {
  if (ready.key == first_key_) {
    add(os::accept_local(listener_.get()));
    return {};
  }
  std::vector<Request> requests;
  const auto found = watchers_.find(ready.key);
  if (found == watchers_.end()) return {};
  Watcher& watcher = found->second;
  const bool open = !ready.readable || receive(watcher, requests);
  for (const Request& request : requests) answer(watcher, request, report);
  if (!open || !flush(ready.key, watcher)) drop(ready.key);
  return requests;
}

bool Watchers::receive(Watcher& watcher, std::vector<Request>& requests) {
  const bool open = watcher.connection.receive(watcher.frames.room());
  for (;;) {
    const auto payload = watcher.frames.next();
    if (!payload) return false;
    if (!*payload) return open;
    auto request = parse_request(**payload);
    if (!request) return false;
    requests.push_back(*std::move(request));
  }
}

void Watchers::answer(Watcher& watcher, const Request& request, const StepReport& report) const {
  if (std::holds_alternative<Hello>(request)) {
    watcher.connection.queue(to_frame(Answer(Welcome{kStepProtocol, self_})));
  } else if (std::holds_alternative<Watch>(request)) {
    watcher.watches = true;
    watcher.connection.queue(to_frame(Answer(Report{report})));
  }
}

void Watchers::tell(const StepReport& report) {
  const std::vector<std::uint8_t> bytes = to_frame(Answer(Report{report}));
  std::vector<std::uint64_t> broken;
  for (auto& [key, watcher] : watchers_) {
    if (!watcher.watches) continue;
    watcher.connection.queue(bytes);
    if (watcher.connection.queued() > kMostQueued || !flush(key, watcher)) broken.push_back(key);
  }
  for (const std::uint64_t key : broken) drop(key);
}

bool Watchers::flush(std::uint64_t key, Watcher& watcher) {
  if (!watcher.connection.flush()) return false;
  const auto interest =
      watcher.connection.queued() > 0 ? os::Interest::kReadAndWrite : os::Interest::kRead;
  return poller_.change(watcher.connection.fd(), key, interest).has_value();
}

void Watchers::drop(std::uint64_t key) {
  const auto found = watchers_.find(key);
  if (found == watchers_.end()) return;
  poller_.forget(found->second.connection.fd());
  watchers_.erase(found);
}

void Watchers::finish() {
  const Duration end = os::since_boot() + kFinishTime;
  for (;;) {
    bool waiting = false;
    for (auto& [key, watcher] : watchers_)
      waiting = (watcher.connection.queued() > 0 && flush(key, watcher) &&
                 watcher.connection.queued() > 0) ||
                waiting;
    const Duration left = end - os::since_boot();
    if (!waiting || left <= Duration(0)) return;
    static_cast<void>(poller_.wait(left));
  }
}

}  // namespace weir::stepd
