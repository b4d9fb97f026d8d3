// LoadedPool: the benchmark's site under load, with the one thing that is timed: a decision.
//
// The load is made by really placing jobs of the mix. Between timed decisions the pool is brought
// back to its load by ending random jobs, and one random job more is replaced by new ones, so that
// every decision finds another state. Beside it runs the SlowPlacer with books of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "cluster.hpp"
#include "pool/pool.hpp"
#include "sched/placement/placer.hpp"
#include "slow_placer.hpp"
#include "state/shape_table.hpp"

namespace weir::bench {

// A job with what the planner remembers of its shape.
struct Ask {
  std::string name;
  Job job;
  state::Shape shape;
  sched::Request request;
};

struct RunningJob {
  JobId job;
  Lease lease;
  std::uint64_t gpus = 0;
};

class LoadedPool {
 public:
  // REQUIRES: the cluster outlives this.
  LoadedPool(const Cluster& cluster, double load, std::uint64_t seed);

  [[nodiscard]] Ask ask(std::string name, const Job& job) const;
  // The next job of the mix.
  [[nodiscard]] const Ask& draw() { return mix_asks_[mix_.draw(rng_)]; }

  // One decision, as the planner takes it: place the gang, build its lease, apply it. Returns
  // whether it was placed.
  bool decide(const Ask& ask);
  // The smallest domain that holds what decide() placed last; nothing when it did not fit.
  [[nodiscard]] std::optional<Level> decided_level() const;

  // After every decide(), not timed: checks the lease, brings the pool back to its load.
  void settle(const Ask& ask);

  [[nodiscard]] const pool::Pool& pool() const { return pool_; }
  [[nodiscard]] const SlowPlacer& slow() const { return slow_; }
  [[nodiscard]] double load() const;
  [[nodiscard]] std::uint64_t running() const { return base_.size() + probes_.size(); }
  // Leases that were wrong by the slow placer's books.
  [[nodiscard]] std::uint64_t wrong_leases() const { return wrong_leases_; }

 private:
  [[nodiscard]] std::uint64_t leased() const { return pool_.ledger().leased_milli / kWholeMilli; }
  void book(const Ask& ask);
  void end_random(std::vector<RunningJob>& jobs);
  void refill();

  const Cluster& cluster_;
  std::uint64_t target_gpus_;
  Rng rng_;
  pool::Pool pool_;
  std::unique_ptr<sched::Placer> placer_;
  SlowPlacer slow_;
  JobMix mix_;
  std::vector<Ask> mix_asks_;
  std::uint64_t next_job_ = 1;
  std::optional<RunningJob> decided_;
  std::vector<RunningJob> base_;    // jobs of the mix that make the load
  std::vector<RunningJob> probes_;  // jobs that were timed
  std::uint64_t probe_gpus_ = 0;
  std::uint64_t wrong_leases_ = 0;
};

}  // namespace weir::bench
