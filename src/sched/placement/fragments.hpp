// FragmentMeasure: how much of a node's idle GPUs typical demand cannot use (Weng et al., "Beware
// of Fragmentation", USENIX ATC 2023, section 3).
//
// For one shape m, the fragment of a node is all its idle GPU if m cannot run there or wants no
// GPU, else what is idle on GPUs with less left than m wants of one. A node's fragment is the mean
// over the shapes, weighted by how often they are asked for. Counted in whole numbers, so that
// equal nodes compare equal: thousandths of a GPU times total().
//
// Looking ahead (ours): one task fits where many in a row will not. At the mean CPUs that typical
// demand takes beside a GPU, a node's CPUs are used up before its GPUs where it has too few; the
// idle GPU beyond that counts as a fragment once more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pool/class_table.hpp"
#include "pool/free_index.hpp"
#include "sched/placement/typical_demand.hpp"

namespace weir::sched {

// What the measure looks at of a node.
struct IdleGpus {
  pool::ClassId node_class;
  std::uint32_t whole = 0;  // wholly free GPUs
  std::uint32_t cpu_milli = 0;
  std::span<const std::uint16_t> shared_left;  // of shared GPUs; zeros count for nothing

  [[nodiscard]] std::uint64_t milli() const;
};
IdleGpus idle_gpus(const pool::FreeCapacityIndex& index, pool::Slot slot);

class FragmentMeasure {
 public:
  enum Looks : std::uint8_t { kAtTheNextTask, kAhead };

  FragmentMeasure() = default;
  // The classes may grow later; nodes of a class that is not known here count as no fragment.
  FragmentMeasure(const TypicalDemand& demand, const pool::ClassTable& classes,
                  Looks looks = kAtTheNextTask);

  // Sum of the counts of all shapes: the weight of one thousandth.
  [[nodiscard]] std::int64_t total() const { return total_; }
  // Thousandths of GPUs times total(). REQUIRES: at most limits::kGpusPerNode entries.
  [[nodiscard]] std::int64_t of(const IdleGpus& node) const;
  // Of all nodes, offered or not.
  [[nodiscard]] std::int64_t of_all(const pool::FreeCapacityIndex& index) const;

 private:
  struct Step {
    std::uint32_t cpu_milli = 0;  // with so many CPUs left,
    std::int64_t count = 0;       // shapes asked for so often fit by CPUs
  };
  // Shapes that want the same of the GPUs; steps by CPUs, ascending.
  struct Group {
    std::uint32_t gpus = 0;
    std::uint32_t gpu_milli = 0;
    std::int64_t count = 0;
    std::vector<Step> steps;
  };
  struct ByClass {
    std::int64_t useless = 0;  // shapes that want no GPU, or none of this model
    std::vector<Group> groups;
  };

  static void add(ByClass& to, const TypicalShape& shape);

  std::int64_t total_ = 0;
  std::int64_t cpu_milli_per_gpu_ = 0;  // 0: not looked at
  std::vector<ByClass> by_class_;
};

}  // namespace weir::sched
