// Lease: what a running job holds, node by node, in the order of its ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "model/ids.hpp"
#include "model/locality.hpp"

namespace weir {

// GPUs of one node as bits; bit i is GPU i in the node's own order.
using GpuMask = std::uint32_t;

struct LeasePart {
  NodeId node;
  GpuMask gpus = 0;
  std::uint32_t cpu_milli = 0;
  std::uint32_t memory_mib = 0;
  // How much of the one GPU in the mask, in thousandths; 0: all of every GPU in it.
  std::uint32_t gpu_milli = 0;

  friend bool operator==(const LeasePart&, const LeasePart&) = default;
};

struct Lease {
  std::vector<LeasePart> parts;  // rank order: along the fabric; a tail comes last
  Instant start;
  Instant until;  // start + estimate: when the planner expects it back
  // Level of the smallest domain that holds all parts, for reports.
  Level spans = Level::kUnit;
  // The domains of this level that it touches are closed to others while it runs.
  std::optional<Level> exclusive;

  friend bool operator==(const Lease&, const Lease&) = default;
};

}  // namespace weir
