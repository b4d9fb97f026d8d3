// Capacity: countable resources of one node, had, free or asked for.
#pragma once

#include <compare>
#include <cstdint>

namespace weir {

struct Capacity {
  std::uint32_t gpus = 0;
  std::uint32_t cpus = 0;        // hardware threads
  std::uint32_t memory_mib = 0;  // host memory in MiB (4 PiB at most)

  friend constexpr auto operator<=>(const Capacity&, const Capacity&) = default;

  [[nodiscard]] constexpr bool covers(const Capacity& demand) const {
    return gpus >= demand.gpus && cpus >= demand.cpus && memory_mib >= demand.memory_mib;
  }
  friend constexpr Capacity operator+(const Capacity& a, const Capacity& b) {
    return {a.gpus + b.gpus, a.cpus + b.cpus, a.memory_mib + b.memory_mib};
  }
  // What both have of each resource.
  friend constexpr Capacity lesser(const Capacity& a, const Capacity& b) {
    return {a.gpus < b.gpus ? a.gpus : b.gpus, a.cpus < b.cpus ? a.cpus : b.cpus,
            a.memory_mib < b.memory_mib ? a.memory_mib : b.memory_mib};
  }
  // REQUIRES: a.covers(b).
  friend constexpr Capacity operator-(const Capacity& a, const Capacity& b) {
    return {a.gpus - b.gpus, a.cpus - b.cpus, a.memory_mib - b.memory_mib};
  }
};

}  // namespace weir
