#include "formats/cable_list.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "fabric/hca_name.hpp"
#include "formats/fabric_fields.hpp"

namespace weir::dump {

using fabric::CableEnd;
using fabric::PortAddress;
using fabric::Vertex;
using fabric::VertexKind;

namespace {

bool names_a_device(std::string_view description) {
  const auto name = fabric::parse_hca_name(description);
  return name && !fabric::is_placeholder_host(name->host);
}

}  // namespace

Status CableList::check_same(const Vertex& known, const Vertex& again, std::size_t line) const {
  const std::string node = fabric::to_text(known.guid);
  const auto differs = [&](std::string_view what) {
    return bad_input(
        fmt::format("expected the {} of {} that line {} tells, found another", what, node, line));
  };
  if (known.kind != again.kind) return differs("kind");
  if (known.description != again.description)
    return bad_input(fmt::format("expected {} to be called {} as in line {}, found {}", node,
                                 quoted(known.description), line, quoted(again.description)));
  if (known.port_count != again.port_count) return differs("number of ports");
  if (known.system_image != again.system_image) return differs("system image GUID");
  if (known.vendor_id != again.vendor_id || known.device_id != again.device_id)
    return differs("vendor and device");
  for (const PortAddress& address : again.addresses)
    for (const PortAddress& before : known.addresses)
      if (before.port == address.port && before != address)
        return bad_input(
            fmt::format("expected the LID {} and port GUID of {} that an earlier line "
                        "tells, found LID {}",
                        before.lid.value(), node, address.lid.value()));
  return {};
}

Status CableList::add(ListedPort port, std::optional<ListedPeer> peer, std::size_t line) {
  if (peer && peer->guid == port.vertex.guid)
    return bad_input(fmt::format("expected a cable to another node, found one from {} to itself",
                                 fabric::to_text(port.vertex.guid)));
  const bool counted = port.vertex.port_count != 0;
  if (counted && port.port.value() > port.vertex.port_count)
    return bad_input(fmt::format("expected a port from 1 to {}, found port {}",
                                 port.vertex.port_count, port.port.value()));
  const auto [at, is_new] = by_guid_.try_emplace(port.vertex.guid, vertices_.size());
  if (is_new) {
    if (vertices_.size() == limits::kFabricVertices)
      return over_limit(fmt::format("more than {} nodes: a subnet has no more addresses",
                                    limits::kFabricVertices));
    vertices_.push_back(port.vertex);
    records_.push_back({line, counted, {}});
  } else {
    Vertex& known = vertices_[at->second];
    if (auto status = check_same(known, port.vertex, records_[at->second].line); !status)
      return status;
    for (const PortAddress& address : port.vertex.addresses)
      if (std::ranges::find(known.addresses, address.port, &PortAddress::port) ==
          known.addresses.end())
        known.addresses.push_back(address);
  }
  std::vector<std::size_t>& port_lines = records_[at->second].port_lines;
  if (port_lines.size() <= port.port.index()) port_lines.resize(port.port.index() + 1, 0);
  if (port_lines[port.port.index()] != 0)
    return bad_input(fmt::format(
        "expected each port once, found port {} of {} again, first in "
        "line {}",
        port.port.value(), fabric::to_text(port.vertex.guid), port_lines[port.port.index()]));
  port_lines[port.port.index()] = line;
  if (!peer) return {};
  ends_.push_back({port.vertex.guid, port.port, peer->guid, peer->port, peer->rate,
                   std::move(peer->description)});
  end_lines_.push_back(line);
  return {};
}

Status CableList::check_peers() {
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const auto found = by_guid_.find(ends_[i].peer);
    if (found == by_guid_.end()) continue;
    // Two ports may have become those of one HCA.
    if (ends_[i].peer == ends_[i].vertex)
      return at_line(end_lines_[i],
                     fmt::format("expected a cable to another node, found one from {} to itself",
                                 fabric::to_text(ends_[i].peer)));
    Vertex& peer = vertices_[found->second];
    const std::uint8_t port = ends_[i].peer_port.value();
    if (!records_[found->second].counted) {
      peer.port_count = std::max(peer.port_count, port);
    } else if (port > peer.port_count) {
      return at_line(end_lines_[i], fmt::format("expected a port from 1 to {} of {}, found port {}",
                                                peer.port_count, fabric::to_text(peer.guid), port));
    }
  }
  return {};
}

bool CableList::is_port_of(std::size_t port, std::size_t hca) const {
  const Vertex& a = vertices_[hca];
  const Vertex& b = vertices_[port];
  if (b.kind != VertexKind::kHca || b.addresses.size() != 1 || a.description != b.description)
    return false;
  const PortAddress& first = a.addresses.front();
  const PortAddress& other = b.addresses.front();
  return other.port > first.port &&
         other.guid.value() - first.guid.value() ==
             static_cast<std::uint64_t>(other.port.value() - first.port.value());
}

void CableList::take_over(std::size_t hca, std::size_t port) {
  vertices_[hca].addresses.push_back(vertices_[port].addresses.front());
  std::vector<std::size_t>& lines = records_[hca].port_lines;
  const std::vector<std::size_t>& more = records_[port].port_lines;
  if (lines.size() < more.size()) lines.resize(more.size(), 0);
  for (std::size_t i = 0; i < more.size(); ++i)
    if (more[i] != 0) lines[i] = more[i];
  by_guid_[vertices_[port].guid] = hca;
}

void CableList::join_ports() {
  std::map<std::string_view, std::vector<std::size_t>> by_name;
  for (std::size_t v = 0; v < vertices_.size(); ++v)
    if (vertices_[v].kind == VertexKind::kHca && vertices_[v].addresses.size() == 1 &&
        names_a_device(vertices_[v].description))
      by_name[vertices_[v].description].push_back(v);
  std::vector<bool> taken(vertices_.size(), false);
  for (auto& [name, ports] : by_name) {
    std::ranges::sort(ports, {}, [&](std::size_t v) { return vertices_[v].addresses[0].port; });
    for (const std::size_t port : std::span(ports).subspan(1))
      if (is_port_of(port, ports.front())) {
        take_over(ports.front(), port);
        taken[port] = true;
      }
  }
  for (CableEnd& end : ends_) {
    end.vertex = vertices_[by_guid_.at(end.vertex)].guid;
    if (const auto at = by_guid_.find(end.peer); at != by_guid_.end())
      end.peer = vertices_[at->second].guid;
  }
  std::vector<Vertex> vertices;
  std::vector<Record> records;
  by_guid_.clear();
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    if (taken[v]) continue;
    by_guid_.emplace(vertices_[v].guid, vertices.size());
    vertices.push_back(std::move(vertices_[v]));
    records.push_back(std::move(records_[v]));
  }
  vertices_ = std::move(vertices);
  records_ = std::move(records);
}

Result<fabric::Snapshot> CableList::finish() {
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    if (!records_[v].counted)
      vertices_[v].port_count = static_cast<std::uint8_t>(records_[v].port_lines.size() - 1);
    std::ranges::sort(vertices_[v].addresses, {}, &PortAddress::port);
  }
  if (auto status = check_peers(); !status) return std::unexpected(std::move(status).error());
  return fabric::assemble({std::move(vertices_), std::move(ends_)});
}

}  // namespace weir::dump
