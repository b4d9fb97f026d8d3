#include "fabric/subnet.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/text.hpp"
#include "fabric/disjoint_sets.hpp"

namespace weir::fabric {
namespace {

std::uint64_t wire_order(Guid guid) { return __builtin_bswap64(guid.value()); }

Lid lid_of(const Vertex& vertex, PortNumber port) {
  for (const PortAddress& address : vertex.addresses)
    if (address.port == port) return address.lid;
  return Lid(0);
}

// One plane: its switches, given by vertex, in any order.
class SubnetBuilder {
 public:
  // `switch_of` is shared by the planes of a snapshot; entries of other planes are left alone.
  SubnetBuilder(const Snapshot& graph, std::vector<SwitchId>& switch_of)
      : graph_(graph), switch_of_(switch_of) {}

  Result<Subnet> build(std::vector<VertexId> switches) {
    std::ranges::sort(switches, {}, [&](VertexId id) { return wire_order(graph_.at(id).guid); });
    for (std::uint32_t s = 0; s < switches.size(); ++s)
      switch_of_[switches[s].index()] = SwitchId(s);
    for (const VertexId id : switches) {
      const Vertex& vertex = graph_.at(id);
      subnet_.switches.push_back({id, vertex.guid, lid_of(vertex, PortNumber(0)), {}});
      WEIR_TRY(claim(subnet_.switches.back().lid, vertex, PortNumber(0)));
      for (const Hop& hop : graph_.hops(id)) WEIR_TRY(add_port(hop));
    }
    return std::move(subnet_);
  }

 private:
  Status add_port(const Hop& hop) {
    SubnetSwitch& own = subnet_.switches.back();
    SwitchPort port{hop.port, SwitchId::none(), hop.peer_port, EndPortId::none()};
    const Vertex& peer = graph_.at(hop.peer);
    if (peer.kind == VertexKind::kSwitch) {
      port.peer = switch_of_[hop.peer.index()];
    } else {
      const Lid lid = lid_of(peer, hop.peer_port);
      WEIR_TRY(claim(lid, peer, hop.peer_port));
      port.end_port = EndPortId(static_cast<std::uint32_t>(subnet_.end_ports.size()));
      const SwitchId leaf(static_cast<std::uint32_t>(subnet_.switches.size() - 1));
      subnet_.end_ports.push_back(
          {hop.peer, hop.peer_port, lid, leaf, hop.port, peer.kind == VertexKind::kRouter});
    }
    own.ports.push_back(port);
    return {};
  }

  Status claim(Lid lid, const Vertex& vertex, PortNumber port) {
    if (lid == Lid(0))
      return bad_input(
          fmt::format("port {} of {} has no LID: routes need a dump of a fabric whose "
                      "subnet manager runs",
                      port.value(), quoted(vertex.description)));
    if (owners_.size() <= lid.value()) owners_.resize(lid.value() + std::size_t{1}, nullptr);
    const Vertex*& owner = owners_[lid.value()];
    if (owner != nullptr)
      return bad_input(fmt::format("LID {} belongs to {} and to {}: a plane has each LID once",
                                   lid.value(), quoted(owner->description),
                                   quoted(vertex.description)));
    owner = &vertex;
    subnet_.last_lid = std::max(subnet_.last_lid, lid);
    return {};
  }

  const Snapshot& graph_;
  std::vector<SwitchId>& switch_of_;
  Subnet subnet_;
  std::vector<const Vertex*> owners_;  // by LID
};

}  // namespace

SwitchId Subnet::find(Guid switch_guid) const {
  const auto at =
      std::ranges::lower_bound(switches, wire_order(switch_guid), {},
                               [](const SubnetSwitch& s) { return wire_order(s.guid); });
  if (at == switches.end() || at->guid != switch_guid) return SwitchId::none();
  return SwitchId(static_cast<std::uint32_t>(at - switches.begin()));
}

EndPortId Subnet::find(Lid lid) const {
  const auto at = std::ranges::find(end_ports, lid, &EndPort::lid);
  if (at == end_ports.end()) return EndPortId::none();
  return EndPortId(static_cast<std::uint32_t>(at - end_ports.begin()));
}

Result<std::vector<Subnet>> subnets_of(const Snapshot& snapshot) {
  const auto is_switch = [&](VertexId id) { return snapshot.at(id).kind == VertexKind::kSwitch; };
  DisjointSets sets(snapshot.vertices.size());
  for (const Link& link : snapshot.links)
    if (is_switch(link.a.vertex) && is_switch(link.b.vertex))
      sets.join(link.a.vertex.index(), link.b.vertex.index());
  std::vector<std::vector<VertexId>> planes;
  std::vector<std::size_t> plane_of_root(snapshot.vertices.size(), SIZE_MAX);
  for (std::uint32_t v = 0; v < snapshot.vertices.size(); ++v) {
    if (!is_switch(VertexId(v))) continue;
    std::size_t& plane = plane_of_root[sets.root(v)];
    if (plane == SIZE_MAX) {
      plane = planes.size();
      planes.emplace_back();
    }
    planes[plane].emplace_back(v);
  }
  std::vector<SwitchId> switch_of(snapshot.vertices.size(), SwitchId::none());
  std::vector<Subnet> subnets;
  for (std::vector<VertexId>& switches : planes)
    subnets.push_back(WEIR_TRY(SubnetBuilder(snapshot, switch_of).build(std::move(switches))));
  return subnets;
}

}  // namespace weir::fabric
