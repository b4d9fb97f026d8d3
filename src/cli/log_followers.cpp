#include "cli/log_followers.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/eventfd.h>

#include "cli/failure.hpp"
#include "cli/output.hpp"

namespace weir::cli {

struct LogFollowers::Shared {
  explicit Shared(const FollowRule& given)
      : rule(given), ended(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  bool print(const std::string& text) {
    const std::lock_guard guard(mutex);
    return put(text).has_value();
  }
  void follow(ControllerClient controller, std::uint64_t rank);
  void end_one() {
    const std::lock_guard guard(mutex);
    if (--running == 0) ::eventfd_write(ended.get(), 1);
  }

  const FollowRule rule;
  const os::Descriptor ended;
  std::mutex mutex;           // of the output, too: lines stay whole
  std::uint64_t running = 0;  // threads
};

void LogFollowers::Shared::follow(ControllerClient controller, std::uint64_t rank) {
  std::string rest;  // of a line without its end
  const Status done =
      controller.follow(log_target(rule.job, rank, rule.live), [&](std::string_view piece) {
        if (!rule.labels) return print(std::string(piece));
        rest += piece;
        std::string lines;
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = rest.find('\n', begin)) != std::string::npos;
             begin = end + 1)
          lines += fmt::format("{}: {}\n", rank, std::string_view(rest).substr(begin, end - begin));
        rest.erase(0, begin);
        return lines.empty() || print(lines);
      });
  if (!rest.empty()) print(fmt::format("{}: {}\n", rank, rest));
  if (!done)
    fmt::print(stderr, "weir: the log of rank {} is not shown: {}\n", rank, done.error().message);
  end_one();
}

LogFollowers::LogFollowers(const ControllerClient& controller, const FollowRule& rule)
    : shared_(std::make_shared<Shared>(rule)) {
  const std::uint64_t ranks = std::clamp<std::uint64_t>(rule.ranks, 1, kMostFollowed);
  shared_->running = ranks;
  for (std::uint64_t rank = 0; rank < ranks; ++rank)
    threads_.emplace_back([shared = shared_, rank, own = controller.another()]() mutable {
      shared->follow(std::move(own), rank);
    });
}

LogFollowers::~LogFollowers() = default;

int LogFollowers::descriptor() const { return shared_->ended.get(); }

}  // namespace weir::cli
