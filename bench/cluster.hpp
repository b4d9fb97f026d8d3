// The benchmark's site: nodes of 8 GPUs of three kinds, units of 32 nodes, pods of 16 units, one
// fabric, all rails linked. And the jobs that arrive there: the mix of notes/performance.md 2c.
//
// A job of the mix may ask for its share of CPUs and memory, for GPUs alone, for more CPUs than its
// share (which leaves nodes with GPUs but few CPUs), or for a partition, a GPU model or features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "model/job.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"

namespace weir::bench {

inline constexpr std::uint32_t kGpusPerNode = 8;
inline constexpr std::uint32_t kNodesPerUnit = 32;
inline constexpr std::uint32_t kUnitsPerPod = 16;

struct Cluster {
  Locality locality;
  std::vector<Node> nodes;

  [[nodiscard]] std::uint64_t gpus() const { return nodes.size() * kGpusPerNode; }
};

// REQUIRES: `nodes` fills whole pods.
Cluster make_cluster(std::uint32_t nodes);

// A job that asks for GPUs and its share of CPUs and memory on each of `nodes` nodes.
Job gpu_job(std::uint32_t nodes, std::uint32_t gpus_per_node);

class JobMix {
 public:
  JobMix();

  // The different jobs of the mix; draw() gives the position of the next one.
  [[nodiscard]] const std::vector<Job>& jobs() const { return jobs_; }
  [[nodiscard]] std::size_t draw(Rng& rng) const;

 private:
  std::vector<Job> jobs_;  // [size][variant]
};

}  // namespace weir::bench
