// LogFollowers: the logs of all ranks of a job on standard output as they grow, a thread for each.
#pragma once

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "cli/controller_client.hpp"
#include "os/descriptor.hpp"

namespace weir::cli {

// Ranks that are shown at once: each takes a thread and a connection.
inline constexpr std::uint64_t kMostFollowed = 256;

struct FollowRule {
  std::uint64_t job = 0;
  std::uint64_t ranks = 1;  // from 0
  bool labels = false;      // whole lines, each begins with "RANK: "
  bool live = true;         // until the tasks have ended; else what is there
};

class LogFollowers {
 public:
  LogFollowers(const ControllerClient& controller, const FollowRule& rule);
  // Waits for the controller to end all logs.
  ~LogFollowers();
  LogFollowers(const LogFollowers&) = delete;
  LogFollowers& operator=(const LogFollowers&) = delete;

  // Readable from when all logs have ended.
  [[nodiscard]] int descriptor() const;

 private:
  struct Shared;

  std::shared_ptr<Shared> shared_;
  std::vector<std::jthread> threads_;
};

}  // namespace weir::cli
