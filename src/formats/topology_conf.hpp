// TopologyConfReader: Slurm's topology.conf (topology.conf.5), tree and block, into NamedTopology.
//
//   SwitchName=leaf1 Nodes=node[001-016]
//   SwitchName=spine1 Switches=leaf[1-4]
//   BlockName=rack1 Nodes=node[001-018]
//   BlockSizes=18,36
//
// Keys in any case, comments behind '#', lines that go on behind a '\' at their end. LinkSpeed is
// read over: Slurm does not use it either.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "fabric/named_topology.hpp"

namespace weir {

class TopologyConfReader {
 public:
  // Takes the next line, without its '\n'; `number` counts from 1. After an error the reader is
  // done with. Errors: what was expected and what was found, without file or line.
  Status line(std::string_view text, std::size_t number);

  // What was read, checked, once. Errors begin with "LINE: " where a line is to blame.
  Result<fabric::NamedTopology> finish();

 private:
  Status statement(std::string_view text, std::size_t number);
  Status count_names(std::size_t added);

  fabric::NamedTopology topology_;
  std::string begun_;           // lines that end with '\', joined
  std::size_t begun_line_ = 0;  // where they began; 0 when nothing is begun
  std::size_t names_ = 0;
};

}  // namespace weir
