// SlowPlacer: the obvious answer to "does it fit, and in how small a domain", by looking at every
// node with plain comparisons. It shares no code with pool/ or sched/ and keeps its own books of
// what is free, so that the timed answers can be checked against it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cluster.hpp"
#include "model/job.hpp"
#include "model/lease.hpp"

namespace weir::bench {

class SlowPlacer {
 public:
  // REQUIRES: the cluster outlives this.
  explicit SlowPlacer(const Cluster& cluster);

  // Takes what a lease holds. False when a part was not free or a node is named twice: the
  // lease is wrong.
  bool take(const Lease& lease);
  void give_back(const Lease& lease);

  // The lowest level at which some domain holds the gang; nothing when none does.
  // REQUIRES: no tail, no segments, no exclusive domain.
  [[nodiscard]] std::optional<Level> smallest_level(const Job& job) const;
  // The same with every node idle.
  [[nodiscard]] std::optional<Level> smallest_level_when_idle(const Job& job) const;
  // Whether every part of the lease stands on a node that may serve the job.
  [[nodiscard]] bool may_serve(const Job& job, const Lease& lease) const;

 private:
  struct Books {
    Capacity free;
    GpuMask free_gpus = 0;
  };
  [[nodiscard]] std::optional<Level> smallest(const Job& job, bool idle) const;

  const Cluster& cluster_;
  std::vector<Books> books_;  // [node]
};

}  // namespace weir::bench
