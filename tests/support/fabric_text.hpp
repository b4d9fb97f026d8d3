// For tests: a text given to a reader of fabric files line by line, errors with their line.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "formats/fabric_file.hpp"
#include "support/read_lines.hpp"

namespace weir::testing {

template <typename Reader>
auto read_text(Reader& reader, std::string_view text) {
  return read_lines(reader, text);
}
template <typename Reader>
auto read_text(std::string_view text) {
  return read_lines(Reader(), text);
}

// The error's message, or nothing where there is none.
template <typename T>
std::string message_of(const Result<T>& result) {
  return result ? std::string() : result.error().message;
}

// One leaf, one spine, two HCAs in the three formats that have cables.
inline constexpr std::string_view kSmallIbnetdiscover = R"(vendid=0x2c9
devid=0xd2f0
sysimgguid=0xa1
switchguid=0xa1(a1)
Switch	40 "S-00000000000000a1"		# "leaf1" enhanced port 0 lid 1 lmc 0
[1]	"H-00000000000000c0"[1](c1) 		# "n1 mlx5_0" lid 3 4xHDR
[2]	"H-00000000000000d0"[1](d1) 		# "n2 mlx5_0" lid 4 4xHDR
[10]	"S-00000000000000b1"[1]		# "spine {x}" lid 2 4xHDR

vendid=0x2c9
devid=0xd2f0
sysimgguid=0xb1
switchguid=0xb1(b1)
Switch	40 "S-00000000000000b1"		# "spine {x}" enhanced port 0 lid 2 lmc 0
[1]	"S-00000000000000a1"[10]		# "leaf1" lid 1 4xHDR

vendid=0x2c9
devid=0x101b
sysimgguid=0xc0
caguid=0xc0
Ca	1 "H-00000000000000c0"		# "n1 mlx5_0"
[1](c1) 	"S-00000000000000a1"[1]		# lid 3 lmc 0 "leaf1" lid 1 4xHDR

vendid=0x2c9
devid=0x101b
sysimgguid=0xd0
caguid=0xd0
Ca	1 "H-00000000000000d0"		# "n2 mlx5_0"
[1](d1) 	"S-00000000000000a1"[2]		# lid 4 lmc 0 "leaf1" lid 1 4xHDR
)";

inline constexpr std::string_view kSmallPortList =
    R"(CA     3  1 0x00000000000000c1 4x HDR - SW     1  1 0x00000000000000a1 ( 'n1 mlx5_0' - 'leaf1' )
CA     4  1 0x00000000000000d1 4x HDR - SW     1  2 0x00000000000000a1 ( 'n2 mlx5_0' - 'leaf1' )
SW     1  1 0x00000000000000a1 4x HDR - CA     3  1 0x00000000000000c1 ( 'leaf1' - 'n1 mlx5_0' )
SW     1  2 0x00000000000000a1 4x HDR - CA     4  1 0x00000000000000d1 ( 'leaf1' - 'n2 mlx5_0' )
SW     1 10 0x00000000000000a1 4x HDR - SW     2  1 0x00000000000000b1 ( 'leaf1' - 'spine {x}' )
SW     1 40 0x00000000000000a1 4x SDR                                    'leaf1'
SW     2  1 0x00000000000000b1 4x HDR - SW     1 10 0x00000000000000a1 ( 'spine {x}' - 'leaf1' )
SW     2 40 0x00000000000000b1 4x ???                                    'spine {x}'
)";

inline constexpr std::string_view kSmallSubnetList =
    R"({ SW Ports:28 SystemGUID:00000000000000a1 NodeGUID:00000000000000a1 PortGUID:00000000000000a1 VenID:0002C9 DevID:D2F0 Rev:000000A1 {leaf1} LID:0001 PN:01 } { CA-SM Ports:01 SystemGUID:00000000000000c0 NodeGUID:00000000000000c0 PortGUID:00000000000000c1 VenID:000002C9 DevID:101B0000 Rev:000000A1 {n1 mlx5_0} LID:0003 PN:01 } PHY=4x LOG=ACT SPD=50
{ SW Ports:28 SystemGUID:00000000000000a1 NodeGUID:00000000000000a1 PortGUID:00000000000000a1 VenID:0002C9 DevID:D2F0 Rev:000000A1 {leaf1} LID:0001 PN:02 } { CA Ports:01 SystemGUID:00000000000000d0 NodeGUID:00000000000000d0 PortGUID:00000000000000d1 VenID:000002C9 DevID:101B0000 Rev:000000A1 {n2 mlx5_0} LID:0004 PN:01 } PHY=4x LOG=ACT SPD=50
{ SW Ports:28 SystemGUID:00000000000000a1 NodeGUID:00000000000000a1 PortGUID:00000000000000a1 VenID:0002C9 DevID:D2F0 Rev:000000A1 {leaf1} LID:0001 PN:0A } { SW Ports:28 SystemGUID:00000000000000b1 NodeGUID:00000000000000b1 PortGUID:00000000000000b1 VenID:000002C9 DevID:D2F00000 Rev:000000A1 {spine {x}} LID:0002 PN:01 } PHY=4x LOG=ACT SPD=50
{ SW Ports:28 SystemGUID:00000000000000b1 NodeGUID:00000000000000b1 PortGUID:00000000000000b1 VenID:0002C9 DevID:D2F0 Rev:000000A1 {spine {x}} LID:0002 PN:01 } { SW Ports:28 SystemGUID:00000000000000a1 NodeGUID:00000000000000a1 PortGUID:00000000000000a1 VenID:000002C9 DevID:D2F00000 Rev:000000A1 {leaf1} LID:0001 PN:0A } PHY=4x LOG=ACT SPD=50
{ CA-SM Ports:01 SystemGUID:00000000000000c0 NodeGUID:00000000000000c0 PortGUID:00000000000000c1 VenID:0002C9 DevID:101B Rev:000000A1 {n1 mlx5_0} LID:0003 PN:01 } { SW Ports:28 SystemGUID:00000000000000a1 NodeGUID:00000000000000a1 PortGUID:00000000000000a1 VenID:000002C9 DevID:D2F00000 Rev:000000A1 {leaf1} LID:0001 PN:01 } PHY=4x LOG=ACT SPD=50
{ CA Ports:01 SystemGUID:00000000000000d0 NodeGUID:00000000000000d0 PortGUID:00000000000000d1 VenID:0002C9 DevID:101B Rev:000000A1 {n2 mlx5_0} LID:0004 PN:01 } { SW Ports:28 SystemGUID:00000000000000a1 NodeGUID:00000000000000a1 PortGUID:00000000000000a1 VenID:000002C9 DevID:D2F00000 Rev:000000A1 {leaf1} LID:0001 PN:02 } PHY=4x LOG=ACT SPD=50
)";

}  // namespace weir::testing
