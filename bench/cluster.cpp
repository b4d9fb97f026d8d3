#include "cluster.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

namespace weir::bench {
namespace {

constexpr std::uint32_t kCpusPerGpu = 8'000;  // thousandths; within the share of every kind
constexpr std::uint32_t kMemoryMibPerGpu = 64 * 1024;
constexpr std::uint32_t kManyCpusPerGpu = 20'000;  // beyond the share of two of the three kinds
constexpr RailMask kAllRails = 0xff;

constexpr std::uint32_t kTiB = 1024 * 1024;

std::array<NodeKind, 3> kinds() {
  return {{{"H100", {kGpusPerNode, 96'000, kTiB}, {"batch", "large"}, {"nvlink4", "sharp"}},
           {"H200",
            {kGpusPerNode, 192'000, 2 * kTiB},
            {"batch", "large", "urgent"},
            {"hbm141", "nvlink4", "sharp"}},
           {"A100", {kGpusPerNode, 128'000, kTiB}, {"batch", "small"}, {"nvlink3"}}}};
}

// Half the units H100, three of eight H200, one of eight A100: every pod has all three, as on a
// site that grew, which leaves placement the most to tell apart.
std::size_t kind_of_unit(std::uint32_t unit) {
  if (unit % 8 < 4) return 0;
  return unit % 8 < 7 ? 1 : 2;
}

// Sizes of notes/performance.md 2c: percent, nodes, GPUs on each.
struct Size {
  std::uint64_t percent;
  std::uint32_t nodes;
  std::uint32_t gpus;
};
constexpr std::array<Size, 10> kSizes{{{40, 1, 1},
                                       {10, 1, 2},
                                       {10, 1, 4},
                                       {15, 1, 8},
                                       {8, 2, 8},
                                       {6, 4, 8},
                                       {4, 8, 8},
                                       {3, 16, 8},
                                       {2, 32, 8},
                                       {2, 64, 8}}};

// What a job asks besides GPUs: percent.
enum Variant : std::size_t { kShare, kGpusOnly, kPartition, kModel, kFeatures, kManyCpus };
constexpr std::array<std::uint64_t, 6> kVariants{50, 15, 10, 10, 7, 8};

Job variant_of(const Size& size, std::size_t variant) {
  Job job = gpu_job(size.nodes, size.gpus);
  Capacity& demand = job.gang.per_node;
  switch (variant) {
    case kGpusOnly: demand = {demand.gpus, 0, 0}; break;
    case kPartition: job.requirement.partition = "large"; break;
    case kModel: job.requirement.gpu_models = {"H200"}; break;
    case kFeatures: job.requirement.features = {"nvlink4", "sharp"}; break;
    case kManyCpus:
      if (demand.gpus <= 4) demand.cpu_milli = kManyCpusPerGpu * demand.gpus;
      break;
    default: break;
  }
  return job;
}

}  // namespace

Cluster make_cluster(std::uint32_t nodes) {
  const std::uint32_t units = nodes / kNodesPerUnit;
  const std::uint32_t pods = units / kUnitsPerPod;
  Cluster cluster;
  cluster.locality.known = true;
  LevelTable unit_table{Level::kUnit, {}};
  for (std::uint32_t unit = 0; unit < units; ++unit)
    unit_table.domains.push_back({DomainId(unit / kUnitsPerPod), fmt::format("unit{}", unit)});
  LevelTable pod_table{Level::kPod, {}};
  for (std::uint32_t pod = 0; pod < pods; ++pod)
    pod_table.domains.push_back({DomainId(0), fmt::format("pod{}", pod)});
  cluster.locality.levels = {unit_table,
                             pod_table,
                             {Level::kFabric, {{DomainId(0), "fabric"}}},
                             {Level::kSite, {{DomainId::none(), "site"}}}};
  const auto kind = kinds();
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::uint32_t unit = i / kNodesPerUnit;
    Node node;
    node.name = fmt::format("node{:05}", i);
    node.kind = kind[kind_of_unit(unit)];
    node.cell = DomainId(unit);
    node.rails = kAllRails;
    cluster.nodes.push_back(std::move(node));
  }
  return cluster;
}

Job gpu_job(std::uint32_t nodes, std::uint32_t gpus_per_node) {
  Job job;
  job.name = "bench";
  job.user = "bench";
  job.gang.nodes = nodes;
  job.gang.per_node = {gpus_per_node, kCpusPerGpu * gpus_per_node,
                       kMemoryMibPerGpu * gpus_per_node};
  if (nodes > 1) job.requirement.rails = kAllRails;
  job.estimate = std::chrono::hours(1);
  return job;
}

JobMix::JobMix() {
  for (const Size& size : kSizes)
    for (std::size_t variant = 0; variant < kVariants.size(); ++variant)
      jobs_.push_back(variant_of(size, variant));
}

std::size_t JobMix::draw(Rng& rng) const {
  std::uint64_t left = rng.below(100);
  std::size_t size = 0;
  while (left >= kSizes[size].percent) left -= kSizes[size++].percent;
  left = rng.below(100);
  std::size_t variant = 0;
  while (left >= kVariants[variant]) left -= kVariants[variant++];
  return size * kVariants.size() + variant;
}

}  // namespace weir::bench
