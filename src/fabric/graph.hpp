// Snapshot: one fabric as somebody saw it at one time, whatever the source (a dump, live MADs, the
// generator). Vertices are keyed by GUID; a name is a label only. Immutable once assembled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "fabric/link_rate.hpp"
#include "model/ids.hpp"

namespace weir::fabric {

using VertexId = Id<struct VertexTag>;                      // index in Snapshot::vertices
using LinkId = Id<struct LinkTag>;                          // index in Snapshot::links
using PortNumber = Id<struct PortNumberTag, std::uint8_t>;  // 1..254; a switch's own port is 0

enum class VertexKind : std::uint8_t { kSwitch, kHca, kRouter };

// The address of one port. Switches have one, for port 0; HCAs one for each port that was seen.
struct PortAddress {
  PortNumber port;
  Guid guid = Guid(0);  // 0 where the source does not say
  Lid lid = Lid(0);     // 0 where the source does not say
  std::uint8_t lmc = 0;

  friend bool operator==(const PortAddress&, const PortAddress&) = default;
};

struct Vertex {
  Guid guid;
  VertexKind kind = VertexKind::kHca;
  std::uint8_t port_count = 0;  // external ports
  std::uint32_t vendor_id = 0;  // 0 where the source does not say; so below
  std::uint32_t device_id = 0;
  Guid system_image = Guid(0);  // equal for the parts of one box
  std::uint32_t chassis = 0;    // number that `ibnetdiscover -g` gave the box
  std::string description;      // NodeDescription, blanks at its end kept
  std::vector<PortAddress> addresses;

  friend bool operator==(const Vertex&, const Vertex&) = default;
};

// What one end of a cable says: "my port is plugged into that port of that vertex".
struct CableEnd {
  Guid vertex;
  PortNumber port;
  Guid peer;
  PortNumber peer_port;
  LinkRate rate;
  std::string peer_description;

  friend bool operator==(const CableEnd&, const CableEnd&) = default;
};

struct LinkEnd {
  VertexId vertex;
  PortNumber port;
  friend auto operator<=>(const LinkEnd&, const LinkEnd&) = default;
};

struct Link {
  LinkEnd a;  // a < b
  LinkEnd b;
  LinkRate rate;          // the lower one where the ends differ
  bool confirmed = true;  // both ends describe it
  friend bool operator==(const Link&, const Link&) = default;
};

// A link as one of its ends sees it.
struct Hop {
  PortNumber port;
  PortNumber peer_port;
  VertexId peer;
  LinkId link;
  friend bool operator==(const Hop&, const Hop&) = default;
};

enum class GapKind : std::uint8_t {
  kUndescribedPeer,  // the cable leads to a vertex that has no record
  kOneEnded,         // the peer does not describe the cable; it is taken as a link
  kDisagreement,     // the peer describes another cable there; it is no link
};

// One thing that keeps a snapshot from being complete.
struct Gap {
  GapKind kind = GapKind::kUndescribedPeer;
  CableEnd end;
  friend bool operator==(const Gap&, const Gap&) = default;
};

struct Snapshot {
  std::vector<Vertex> vertices;          // ascending GUID
  std::vector<Link> links;               // ascending by end a
  std::vector<Gap> gaps;                 // ascending by vertex and port
  std::vector<std::uint32_t> hop_begin;  // vertices.size() + 1 offsets into hop_table
  std::vector<Hop> hop_table;

  [[nodiscard]] bool complete() const { return gaps.empty(); }
  [[nodiscard]] const Vertex& at(VertexId id) const { return vertices[id.index()]; }
  [[nodiscard]] const Link& at(LinkId id) const { return links[id.index()]; }
  // The links of a vertex in ascending port order.
  [[nodiscard]] std::span<const Hop> hops(VertexId id) const {
    return {hop_table.data() + hop_begin[id.index()], hop_table.data() + hop_begin[id.index() + 1]};
  }
  [[nodiscard]] std::optional<VertexId> find(Guid guid) const;

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

// What a source gathers before it becomes a Snapshot.
struct FabricDraft {
  std::vector<Vertex> vertices;  // any order
  std::vector<CableEnd> ends;    // any order
};

// Matches cable ends into links and finds the gaps.
// REQUIRES: GUIDs are unique; no port of a vertex has two ends; no end leads to its own vertex.
Snapshot assemble(FabricDraft draft);

// Several snapshots as one. An HCA or router may stand in several of them with different ports, as
// its ports may join different subnets. Error: a switch, or one port of an HCA, stands in two.
Result<Snapshot> merge(std::vector<Snapshot> snapshots);

// GUIDs as people write them: 0x plus 16 digits.
std::string to_text(Guid guid);

}  // namespace weir::fabric
