// Capacity: countable resources of one node, had, free or asked for.
#pragma once

#include <compare>
#include <cstdint>

namespace weir {

// A whole GPU, or a whole CPU, in thousandths.
inline constexpr std::uint32_t kWholeMilli = 1000;

struct Capacity {
  std::uint32_t gpus = 0;        // whole ones
  std::uint32_t cpu_milli = 0;   // thousandths of a hardware thread
  std::uint32_t memory_mib = 0;  // host memory in MiB (4 PiB at most)
  // Asked or held: a share of one GPU in thousandths (1 to 999) with no whole one beside it; 0 is
  // none. Free: the most that is left on one GPU that is shared. A whole node has none.
  std::uint32_t gpu_milli = 0;

  friend constexpr auto operator<=>(const Capacity&, const Capacity&) = default;

  // Whether this, free or a whole node, has room for the demand. A share fits on a shared GPU with
  // enough left, or on a whole one.
  [[nodiscard]] constexpr bool covers(const Capacity& demand) const {
    return gpus >= demand.gpus && cpu_milli >= demand.cpu_milli &&
           memory_mib >= demand.memory_mib &&
           (demand.gpu_milli == 0 || gpus > demand.gpus || gpu_milli >= demand.gpu_milli);
  }
  // GPUs in thousandths, of a demand or a holding.
  [[nodiscard]] constexpr std::uint64_t milli_gpus() const {
    return std::uint64_t{gpus} * kWholeMilli + gpu_milli;
  }
  [[nodiscard]] constexpr bool asks_share() const { return gpu_milli > 0; }

  // What both have of each resource.
  friend constexpr Capacity lesser(const Capacity& a, const Capacity& b) {
    return {a.gpus < b.gpus ? a.gpus : b.gpus,
            a.cpu_milli < b.cpu_milli ? a.cpu_milli : b.cpu_milli,
            a.memory_mib < b.memory_mib ? a.memory_mib : b.memory_mib,
            a.gpu_milli < b.gpu_milli ? a.gpu_milli : b.gpu_milli};
  }
};

}  // namespace weir
