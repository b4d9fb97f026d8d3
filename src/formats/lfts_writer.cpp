#include "formats/lfts_writer.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace weir {
namespace {

using fabric::EndPort;
using fabric::PortAddress;
using fabric::PortNumber;
using fabric::SubnetSwitch;
using fabric::Vertex;

Guid port_guid(const Vertex& vertex, PortNumber port) {
  const auto at = std::ranges::find(vertex.addresses, port, &PortAddress::port);
  return at == vertex.addresses.end() ? vertex.guid : at->guid;
}

std::string described(std::string_view sort, const Vertex& vertex, PortNumber port) {
  return fmt::format("{} portguid {}: '{}'", sort, fabric::to_text(port_guid(vertex, port)),
                     vertex.description);
}

// What stands behind each LID; empty where nothing does.
std::vector<std::string> owners(const fabric::Snapshot& snapshot, const fabric::Subnet& subnet) {
  std::vector<std::string> text(subnet.last_lid.value() + std::size_t{1});
  for (const SubnetSwitch& own : subnet.switches)
    text[own.lid.value()] = described("Switch", snapshot.at(own.vertex), PortNumber(0));
  for (const EndPort& end : subnet.end_ports)
    text[end.lid.value()] =
        described(end.router ? "Router" : "Channel Adapter", snapshot.at(end.vertex), end.port);
  return text;
}

}  // namespace

std::string write_lfts(const fabric::Snapshot& snapshot, const fabric::Subnet& subnet,
                       const fabric::ForwardingTables& tables) {
  const std::vector<std::string> owner = owners(snapshot, subnet);
  std::string text;
  const auto out = std::back_inserter(text);
  for (const SubnetSwitch& own : subnet.switches) {
    const fabric::ForwardingTable* table = tables.find(own.guid);
    if (table == nullptr) continue;
    const Vertex& vertex = snapshot.at(own.vertex);
    fmt::format_to(out, "Unicast lids [0-{}] of switch Lid {} guid {} ('{}'):\n",
                   subnet.last_lid.value(), own.lid.value(), fabric::to_text(own.guid),
                   vertex.description);
    for (std::uint32_t lid = 1; lid < owner.size(); ++lid) {
      const std::uint8_t port = table->port_to(Lid(static_cast<std::uint16_t>(lid)));
      if (port > vertex.port_count) continue;
      fmt::format_to(out, "0x{:04x} {:03} # {}\n", lid, port,
                     owner[lid].empty() ? "unknown node and type" : owner[lid]);
    }
    fmt::format_to(out, "{} lids dumped\n", subnet.last_lid.value());
  }
  return text;
}

}  // namespace weir
