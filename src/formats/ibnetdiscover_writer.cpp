#include "formats/ibnetdiscover_writer.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

namespace weir {
namespace {

using fabric::CableEnd;
using fabric::Hop;
using fabric::PortAddress;
using fabric::PortNumber;
using fabric::Snapshot;
using fabric::Vertex;
using fabric::VertexId;
using fabric::VertexKind;

std::string printable(std::string_view description) {
  std::string text(description);
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '.');
  return text;
}

std::string node_id(VertexKind kind, Guid guid) {
  const char prefix = kind == VertexKind::kSwitch ? 'S' : kind == VertexKind::kHca ? 'H' : 'R';
  return fmt::format("\"{}-{:016x}\"", prefix, guid.value());
}

const PortAddress* address_of(const Vertex& vertex, PortNumber port) {
  const auto at = std::ranges::find(vertex.addresses, port, &PortAddress::port);
  return at == vertex.addresses.end() ? nullptr : &*at;
}

std::string lid_text(const PortAddress* address) {
  if (address == nullptr || address->lid == Lid(0)) return "";
  return fmt::format("lid {} ", address->lid.value());
}

class Writer {
 public:
  explicit Writer(const Snapshot& snapshot) : snapshot_(snapshot) {
    for (const fabric::Gap& gap : snapshot.gaps) gaps_[{gap.end.vertex, gap.end.port}] = &gap.end;
  }

  std::string write() {
    line("#\n# Topology file: written by weir\n#");
    for (const VertexKind kind : {VertexKind::kSwitch, VertexKind::kHca, VertexKind::kRouter})
      for (const Vertex& vertex : snapshot_.vertices)
        if (vertex.kind == kind) write(vertex);
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void write(const Vertex& vertex) {
    write_ids(vertex);
    const PortAddress* own = address_of(vertex, PortNumber(0));
    const std::string id = node_id(vertex.kind, vertex.guid);
    if (vertex.kind == VertexKind::kSwitch)
      line("Switch\t{} {}\t\t# \"{}\" enhanced port 0 {}lmc {}", vertex.port_count, id,
           printable(vertex.description), lid_text(own), own == nullptr ? 0 : own->lmc);
    else
      line("{}\t{} {}\t\t# \"{}\"", vertex.kind == VertexKind::kHca ? "Ca" : "Rt",
           vertex.port_count, id, printable(vertex.description));
    for (unsigned port = 1; port <= vertex.port_count; ++port)
      write_port(vertex, PortNumber(static_cast<std::uint8_t>(port)));
  }

  void write_ids(const Vertex& vertex) {
    line("\nvendid=0x{:x}\ndevid=0x{:x}\nsysimgguid=0x{:x}", vertex.vendor_id, vertex.device_id,
         vertex.system_image.value());
    if (vertex.kind == VertexKind::kSwitch) {
      const PortAddress* own = address_of(vertex, PortNumber(0));
      line("switchguid=0x{0:x}({1:x})", vertex.guid.value(),
           own == nullptr ? std::uint64_t{0} : own->guid.value());
    } else {
      line("{}guid=0x{:x}", vertex.kind == VertexKind::kHca ? "ca" : "rt", vertex.guid.value());
    }
  }

  void write_port(const Vertex& vertex, PortNumber port) {
    if (const auto gap = gaps_.find({vertex.guid, port}); gap != gaps_.end())
      return write_cable(vertex, *gap->second);
    const VertexId self = *snapshot_.find(vertex.guid);
    for (const Hop& hop : snapshot_.hops(self)) {
      const fabric::Link& link = snapshot_.at(hop.link);
      if (hop.port != port || !link.confirmed) continue;
      const Vertex& peer = snapshot_.at(hop.peer);
      write_cable(vertex, CableEnd{vertex.guid, port, peer.guid, hop.peer_port, link.rate,
                                   peer.description});
    }
  }

  void write_cable(const Vertex& vertex, const CableEnd& end) {
    const auto found = snapshot_.find(end.peer);
    const VertexKind kind = found ? snapshot_.at(*found).kind : VertexKind::kHca;
    const PortAddress* own = address_of(vertex, end.port);
    const PortAddress* peer =
        found ? address_of(snapshot_.at(*found),
                           kind == VertexKind::kSwitch ? PortNumber(0) : end.peer_port)
              : nullptr;
    const bool is_switch = vertex.kind == VertexKind::kSwitch;
    const std::string own_guid =
        is_switch || own == nullptr ? "" : fmt::format("({:x}) ", own->guid.value());
    const std::string peer_guid = peer == nullptr || kind == VertexKind::kSwitch
                                      ? ""
                                      : fmt::format("({:x}) ", peer->guid.value());
    const std::string own_lid =
        is_switch || own == nullptr ? "" : fmt::format("{}lmc {} ", lid_text(own), own->lmc);
    line("[{}]{}\t{}[{}]{}\t\t# {}\"{}\" {}{}", end.port.value(), own_guid, node_id(kind, end.peer),
         end.peer_port.value(), peer_guid, own_lid, printable(end.peer_description), lid_text(peer),
         fabric::to_text(end.rate));
  }

  const Snapshot& snapshot_;
  std::map<std::pair<Guid, PortNumber>, const CableEnd*> gaps_;
  std::string text_;
};

}  // namespace

std::string write_ibnetdiscover(const fabric::Snapshot& snapshot) {
  return Writer(snapshot).write();
}

}  // namespace weir
