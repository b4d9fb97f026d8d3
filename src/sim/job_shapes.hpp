// Shapes of jobs, GPUs and durations, drawn from published distributions or our own.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/rng.hpp"

namespace weir::sim {

struct JobShape {
  std::string_view vc;
  std::uint64_t gpus = 0;
  std::uint64_t seconds = 0;
};

struct ShapeLimits {
  std::uint64_t pool_gpus = 0;
  std::uint32_t gpus_per_node = 0;
  std::uint32_t biggest_gang = 0;  // nodes
};

// The smallest gang that draw_gang() gives, in nodes.
inline constexpr std::uint64_t kSmallestGang = 2;

// Microsoft's Philly log of 2017.
JobShape draw_small(Rng& rng, const ShapeLimits& limits);
// Training gangs of whole nodes for hours to days: our own. REQUIRES: the limits allow a gang of
// kSmallestGang nodes.
JobShape draw_gang(Rng& rng, const ShapeLimits& limits);
// SenseTime's Helios clusters of 2020.
JobShape draw_helios(Rng& rng, const ShapeLimits& limits);
// Shanghai AI Laboratory's cluster Seren of 2023, from the trace Acme; the VC is the type of job.
JobShape draw_acme(Rng& rng, const ShapeLimits& limits);

}  // namespace weir::sim
