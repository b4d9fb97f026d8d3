// Nodes: what they are (NodeKind, shared by equal nodes) and where and how they stand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/demand.hpp"
#include "model/grade.hpp"
#include "model/ids.hpp"

namespace weir {

struct NodeKind {
  std::string gpu_model;                // "H100", empty when unknown
  Capacity total;                       // of one node; gpus <= limits::kGpusPerNode, no gpu_milli
  std::vector<std::string> partitions;  // sorted, unique
  std::vector<std::string> features;    // sorted, unique

  friend auto operator<=>(const NodeKind&, const NodeKind&) = default;
};

enum class Availability : std::uint8_t {
  kUp,
  kDrained,  // running tasks go on, nothing new starts (drain, cordon)
  kDown,
};
inline constexpr std::uint32_t kAvailabilities = 3;

// Rails as bits: bit r is set when the node's HCA r has a link to the fabric.
using RailMask = std::uint16_t;

struct Node {
  std::string name;
  NodeKind kind;
  DomainId cell;  // its domain in the lowest level of the locality tree
  RailMask rails = 0;
  Grade grade = Grade::kGood;
  Availability availability = Availability::kUp;

  friend bool operator==(const Node&, const Node&) = default;
};

// What every node must obey, whatever the pool; the error names node and field.
Status check(const Node& node);

}  // namespace weir
