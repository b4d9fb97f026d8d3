// ScoredPlacer: looks at every node that serves and takes the one with the highest score, the first
// among equals. For jobs on one node; gangs, segments and exclusive domains are placed as `weir`
// does. Each policy is a NodeScorer in a file of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sched/placement/placer.hpp"
#include "sched/placement/weir_placer.hpp"

namespace weir::sched {

class NodeScorer {
 public:
  struct Score {
    std::int64_t value = 0;           // high is good
    std::optional<std::uint8_t> gpu;  // of a share; none: the usual one
  };
  virtual ~NodeScorer() = default;
  virtual void expect(const TypicalDemand& /*demand*/, const pool::ClassTable& /*classes*/) {}
  // The scores that follow are for this demand. The index outlives them.
  virtual void begin(const pool::FreeCapacityIndex& index, const Capacity& demand) = 0;
  // REQUIRES: the node serves.
  virtual Score score(pool::Slot slot) = 0;
};

class ScoredPlacer final : public Placer {
 public:
  explicit ScoredPlacer(std::unique_ptr<NodeScorer> scorer) : scorer_(std::move(scorer)) {}

  void expect(const TypicalDemand& demand, const pool::ClassTable& classes) override {
    scorer_->expect(demand, classes);
  }
  std::optional<Placement> place(const pool::FreeCapacityIndex& index, const Request& request,
                                 Rng& rng) override;

 private:
  std::unique_ptr<NodeScorer> scorer_;
  WeirPlacer gangs_;
  std::vector<pool::Slot> serving_;
};

}  // namespace weir::sched
