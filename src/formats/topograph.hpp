// TopographReader: what topograph knows of a site, as YAML (JSON is YAML too), into NamedTopology;
// the only user of yaml-cpp. Two shapes are read:
//
//   switches:                            # a topology model
//     spine1: {switches: [leaf1, leaf2]}
//   blocks:
//   - switch: leaf1
//     nodes: ["node[01-18]"]
//     annotations: {accelerator.topograph.run/domain: nvl1}
//
//   items:                               # `kubectl get nodes -o yaml` with topograph's labels
//   - metadata: {name: node01, labels: {fabric.topograph.run/tier-0: leaf1, ...}}
//
// Labels: fabric.topograph.run/tier-N (0 is nearest), or before topograph 1.0
// network.topology.nvidia.com/{leaf,spine,core}; NVLink domains by accelerator.*/domain or
// network.topology.nvidia.com/accelerator. Other keys say nothing about place and are read over.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "fabric/named_topology.hpp"

namespace weir {

class TopographReader {
 public:
  // As TopologyConfReader; what is wrong with the text shows in finish().
  Status line(std::string_view text, std::size_t number);
  Result<fabric::NamedTopology> finish();

 private:
  std::string text_;
  std::size_t lines_ = 0;  // in text_
};

}  // namespace weir
