// EngineSite: the core's engine on the benchmark's site, with the list of what runs there.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "cluster.hpp"
#include "core/engine.hpp"
#include "timings.hpp"

namespace weir::bench {

class EngineSite {
 public:
  // The journal's records are encoded and hashed; no sink takes their bytes.
  EngineSite(const Cluster& cluster, sched::Backfill backfill, std::uint64_t seed);

  // One turn, one second later, timed if asked.
  void turn(std::vector<Event> events, Timings* timings = nullptr);
  // Submits jobs of the mix, one a turn, until this share of all GPUs is leased or one waits.
  void fill_to(double load);
  // Submits jobs of the mix, so many in one turn, until so many are pending.
  void queue_up(std::size_t pending, std::size_t batch);

  // The next job of the mix, with an estimate of its own between 5 minutes and a day.
  Event submission();
  std::vector<Event> submissions(std::size_t jobs);
  // The end of a random running job. REQUIRES: one runs.
  Event end_of_any();

  [[nodiscard]] const core::Engine& engine() const { return engine_; }
  [[nodiscard]] double load() const;
  [[nodiscard]] std::size_t running() const { return running_.size(); }

 private:
  Rng rng_;
  JobMix mix_;
  core::Engine engine_;
  Instant now_;
  std::vector<JobId> running_;
};

}  // namespace weir::bench
