// BlockListReader: NVLink blocks as a plain list, a line with nodes and their block:
//
//   node[001-018]  rack1
//   node019        rack2      # several lines may name one block
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "fabric/named_topology.hpp"

namespace weir {

class BlockListReader {
 public:
  // As TopologyConfReader. The result has blocks only.
  Status line(std::string_view text, std::size_t number);
  Result<fabric::NamedTopology> finish();

 private:
  fabric::NamedTopology topology_;
  std::map<std::string, std::size_t, std::less<>> index_;  // of each block
  std::size_t nodes_ = 0;
};

}  // namespace weir
