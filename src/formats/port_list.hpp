// PortListReader: what `ibnetdiscover -p` prints, a line for each port, into a Snapshot.
//
//   SW     8  1 0xb8cef60300100070 4x HDR - CA    41  1 0x1070fd03002001c1 ( 'leaf08' - 'gpu0029
//   mlx5_0' ) SW     8 40 0xb8cef60300100070 4x SDR                                    'leaf08'
//
// What the format leaves out: the node GUID of an HCA (its first port's stands for it; ports of one
// HCA are joined by name and GUID, see CableList), system image GUIDs, vendor and device, LMCs, and
// how many ports an HCA has. A port without a cable may have no LID; one with a cable must.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "fabric/graph.hpp"
#include "formats/cable_list.hpp"

namespace weir {

class PortListReader {
 public:
  // Takes the next line, without its '\n'; `number` counts from 1. After an error the reader is
  // done with. Errors: what was expected and what was found, without file or line.
  Status line(std::string_view text, std::size_t number);

  // What was read, once. Errors begin with "LINE: " where a line is to blame.
  Result<fabric::Snapshot> finish();

 private:
  dump::CableList list_;
};

}  // namespace weir
