// Where a simulated pool comes from: a size, fabric dumps, or the generated demo fabric.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/node.hpp"
#include "sim/result.hpp"
#include "sim/simulation.hpp"

namespace weir::lab {

struct LabPool {
  sim::SimulatedPool pool;
  std::string description;
  std::vector<sim::UnitInfo> units;  // empty without a topology
  // Rails that every fabric of the site has: what a gang of several nodes uses if it says nothing.
  RailMask rails = 0;
};

// "64x8": 64 nodes of 8 GPUs, no topology. Error: another form, or beyond the limits.
Result<LabPool> pool_of_size(std::string_view text);

// Compute nodes as the files show them (one per plane or fabric), each with this many GPUs; 0 takes
// one GPU for each rail, which files without cables (topology.conf, topograph) do not tell: an
// error.
Result<LabPool> pool_of_dumps(const std::vector<std::filesystem::path>& files,
                              std::uint32_t gpus_per_node);

// "openb:FILE": the nodes of Alibaba's node list, no topology. Errors name file and line.
Result<LabPool> pool_of_node_list(std::string_view source);

// A generated rail-optimised fat tree of DGX-like nodes: 8 GPUs and 8 rails each.
Result<LabPool> generated_pool(std::uint32_t nodes);

}  // namespace weir::lab
