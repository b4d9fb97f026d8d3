// StepHost: the stepds of one node and what they and the agent have on its disk. A stepd outlives
// the agent, holds the lease's deadline by the node's own clock, and writes each end down before it
// tells of it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "model/step.hpp"
#include "sim/faults/kernel.hpp"
#include "sim/faults/ledger.hpp"

namespace weir::sim::faults {

// A monotonic clock with an offset and a drift of its own.
class NodeClock {
 public:
  NodeClock() = default;
  NodeClock(Duration offset, std::int64_t drift_ppm) : offset_(offset), drift_ppm_(drift_ppm) {}

  [[nodiscard]] Instant read(Instant now) const {
    return now + offset_ + Duration(now.microseconds() * drift_ppm_ / 1'000'000);
  }
  // How long from now until the clock shows this or a moment more.
  [[nodiscard]] Duration until(Instant now, Instant shown) const {
    const Duration left = shown - read(now);
    if (left <= Duration::zero()) return Duration::zero();
    return Duration(left.count() * 1'000'000 / (1'000'000 + drift_ppm_) + 2);
  }

 private:
  Duration offset_{0};
  std::int64_t drift_ppm_ = 0;
};

class StepHost {
 public:
  StepHost(Kernel& kernel, Ledger& ledger, std::uint32_t node)
      : kernel_(kernel), ledger_(ledger), node_(node) {}

  NodeClock clock;
  // A step is now so, durably. Set once; the agent need not live.
  std::function<void(const StepReport&)> told;

  // The agent writes down that it is about to start the step, then forks.
  void intend(const StepSpec& spec);
  void fork(const StepSpec& spec, Instant deadline);
  void stop(StepId step, std::uint64_t token, EndCause cause);
  void drop(StepId step);
  void move_deadline(Instant at);
  // An agent starts: what it finds on disk. Where no stepd lives any more, the end is unknown.
  std::vector<StepReport> found();
  void power_off();
  // A stepd is killed, its tasks with it; false: there is none.
  bool kill_one();

  [[nodiscard]] std::size_t records() const { return records_.size(); }
  [[nodiscard]] std::size_t living() const { return stepds_.size(); }

 private:
  struct Stepd {
    StepSpec spec;
    Instant deadline;
    std::uint64_t life = 0;
    bool begun = false;
    std::vector<std::uint32_t> alive;  // ranks
  };
  struct Record {
    StepReport report;
    std::vector<std::uint32_t> ranks;
  };

  Stepd* living(StepId step, std::uint64_t life);
  void begin(StepId step, std::uint64_t life);
  void start_tasks(Stepd& stepd);
  void task_over(StepId step, std::uint64_t life, TaskEnd end);
  void end_all(StepId step, std::uint64_t life, EndCause cause);
  void watch_deadline(StepId step, std::uint64_t life);
  // All its tasks have ended, and their ends are written: it tells, and exits.
  void finish(StepId step);
  void die(StepId step);
  void reap(StepId step);
  void tell_soon(StepId step);
  void note(StepId step, std::string_view what);

  Kernel& kernel_;
  Ledger& ledger_;
  std::uint32_t node_;
  std::map<StepId, Stepd> stepds_;
  std::map<StepId, Record> records_;  // on disk
  std::uint64_t lives_ = 0;
};

}  // namespace weir::sim::faults
