// SubnetListReader: OpenSM's opensm-subnet.lst (osm_dump.c; ibdiagnet2.lst has the same lines), a
// line for each end of a cable, into a Snapshot. LIDs, ports and ids are hexadecimal without 0x;
// SPD is Gb/s of a lane.
//
//   { SW Ports:28 SystemGUID:… NodeGUID:… PortGUID:… VenID:0002C9 DevID:D2F0 Rev:000000A1 {leaf01}
//     LID:0001 PN:05 } { CA-SM Ports:01 … PN:01 } PHY=4x LOG=ACT SPD=50          (one line)
//
// What the format leaves out: nodes and ports without a cable, LMCs, and vendor and device of the
// far end, which old versions print shifted: every node tells its own.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "fabric/graph.hpp"
#include "formats/cable_list.hpp"

namespace weir {

class SubnetListReader {
 public:
  // As PortListReader.
  Status line(std::string_view text, std::size_t number);
  Result<fabric::Snapshot> finish();

 private:
  dump::CableList list_;
};

}  // namespace weir
