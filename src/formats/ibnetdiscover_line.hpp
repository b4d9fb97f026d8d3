// The lines of ibnetdiscover's topology format (ibnetdiscover.8 of rdma-core, and ibsim's input,
// which is the same written by hand), each as a value. No state: what a line means in its place is
// the business of IbnetdiscoverReader.
//
//   switchguid=0xb8cef60300100070(b8cef60300100070)
//   Switch  40 "S-b8cef60300100070"        # "MF0;leaf08:MQM8700/U1" enhanced port 0 lid 8 lmc 0
//   [1]     "H-1070fd03002001c0"[1](1070fd03002001c1)    # "gpu0029 mlx5_0" lid 41 4xHDR
//
// Errors (kBadInput) say what was expected and what was found; the place is the caller's to add.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "fabric/graph.hpp"

namespace weir::ibnetdiscover {

// Blank lines, comments, and what `-g` adds between records ("Hostname: ...").
struct NothingLine {};

// "Chassis 2 (guid 0x...)", or "Non-Chassis Nodes" with number 0: says where the next records sit.
struct ChassisLine {
  std::uint32_t number = 0;
};

// "devid=0x1021": one of the lines before a record.
struct IdLine {
  enum class Key : std::uint8_t { kVendor, kDevice, kSystemImage, kSwitch, kHca, kRouter };
  Key key = Key::kVendor;
  std::uint64_t value = 0;
  std::uint64_t port_guid = 0;  // in parentheses behind a switch's GUID, else 0
};

// "Switch 40 ..." | "Ca 1 ..." | "Rt 2 ...": begins a record.
struct NodeLine {
  fabric::VertexKind kind = fabric::VertexKind::kHca;
  std::uint8_t port_count = 0;
  Guid guid;
  std::string description;
  std::optional<Lid> lid;
  std::uint8_t lmc = 0;
};

// "[1] ...": a cable of the current record.
struct PortLine {
  fabric::PortNumber port;
  Guid port_guid = Guid(0);  // 0 where the line does not say
  std::optional<Lid> lid;    // of this port; only HCAs and routers print it
  std::uint8_t lmc = 0;
  fabric::VertexKind peer_kind = fabric::VertexKind::kHca;
  Guid peer;
  fabric::PortNumber peer_port;
  std::string peer_description;
  fabric::LinkRate rate;  // unknown where the line does not say
};

using Line = std::variant<NothingLine, ChassisLine, IdLine, NodeLine, PortLine>;

Result<Line> parse_line(std::string_view text);

}  // namespace weir::ibnetdiscover
