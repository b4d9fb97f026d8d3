// What a collective costs on a fabric: the latency-bandwidth model.
//
// Ring all-reduce of S bytes over n members: 2 (n-1) a + 2 (n-1)/n S/B. A gang of k nodes with g
// GPUs each reduces and gathers inside its nodes, n = g over NVLink, and in between on all rails
// side by side, each a ring of n = k over S/g bytes. Both parts overlap in a pipeline: the time
// lies between the longer one and their sum, and is taken midway. For 4 GiB on 4 nodes of 8 B200
// that gives 20.3 ms, where 22.05 ms are published. Sources: Thakur, Rabenseifner, Gropp,
// "Optimization of collective communication operations in MPICH" (2005); NVIDIA nccl-tests,
// PERFORMANCE.md, and the all-reduce figures beside it.
#pragma once

#include <cstdint>

#include "base/units.hpp"

namespace weir::fabric {

// One direction, for one GPU: its NVLinks; its rail's adapter.
struct CollectiveLinks {
  Bandwidth inside{std::uint64_t{3'600'000'000'000}};  // NVLink4: 450 GB/s
  Bandwidth between{std::uint64_t{400'000'000'000}};   // NDR
  double inside_latency = 1e-6;                        // seconds a step
  double between_latency = 5e-6;
};

// Seconds of a ring all-reduce. REQUIRES: members > 0.
double ring_all_reduce(Bytes size, std::uint32_t members, Bandwidth rate, double latency);

// Seconds of an all-reduce over all GPUs of a gang. REQUIRES: both counts > 0.
double gang_all_reduce(Bytes size, std::uint32_t nodes, std::uint32_t gpus_per_node,
                       const CollectiveLinks& links);

}  // namespace weir::fabric
