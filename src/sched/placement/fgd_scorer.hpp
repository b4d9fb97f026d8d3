// FgdScorer ("fgd"): the node, and of a share the GPU, where the fragment measure grows least (Weng
// et al., USENIX ATC 2023), scored as their scheduler does: the sigmoid of the change in whole
// GPUs, cut to an integer of 0..100. Without typical demand all nodes score alike and the first one
// is taken.
//
// Scores are remembered per demand and node while the node stands as it stood.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "sched/placement/fragments.hpp"
#include "sched/placement/scored_placer.hpp"

namespace weir::sched {

// Fragment changes cut to 0..100.
class SigmoidCut {
 public:
  SigmoidCut() = default;
  // `total`: the measure's weight of one thousandth.
  explicit SigmoidCut(std::int64_t total);
  // 100 / (1 + exp(-fall / (1000 total))), cut. 50 stands for no change.
  [[nodiscard]] std::int64_t operator()(std::int64_t fall) const;

 private:
  std::array<std::int64_t, 99> least_{};  // fall that scores 1, 2, .. 99
};

class FgdScorer : public NodeScorer {
 public:
  explicit FgdScorer(FragmentMeasure::Looks looks = FragmentMeasure::kAtTheNextTask)
      : looks_(looks) {}
  void expect(const TypicalDemand& demand, const pool::ClassTable& classes) override;
  void begin(const pool::FreeCapacityIndex& index, const Capacity& demand) override;
  Score score(pool::Slot slot) override;

 private:
  // How a node stood when it was last looked at; `epoch` tells one such look from another.
  struct Seen {
    pool::ClassId node_class;
    Capacity free;
    std::uint32_t epoch = 0;
    std::int64_t fragment = 0;
  };
  struct Known {
    std::uint32_t epoch = 0;  // of the node when it was scored
    std::int16_t value = 0;
    std::int16_t gpu = -1;
  };

  void look(pool::Slot slot);
  [[nodiscard]] Score work_out(pool::Slot slot) const;
  // With the demand on this GPU, of a share; -1: on wholly free ones.
  [[nodiscard]] std::int64_t value_on(pool::Slot slot, int gpu) const;
  void forget();

  FragmentMeasure::Looks looks_;
  FragmentMeasure measure_;
  SigmoidCut cut_;
  const pool::FreeCapacityIndex* index_ = nullptr;
  Capacity demand_;
  std::vector<Seen> seen_;            // [slot]
  std::vector<std::uint16_t> lefts_;  // [slot][GPU]
  std::uint32_t epochs_ = 0;
  std::map<Capacity, std::vector<Known>> known_;  // [demand][slot]
  std::vector<Known>* of_demand_ = nullptr;
};

}  // namespace weir::sched
