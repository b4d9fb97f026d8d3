#include "fabric/route_map.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/text.hpp"

namespace weir::fabric {
namespace {

std::string name_of(const Vertex& vertex) {
  return fmt::format("{} {}", to_text(vertex.guid), quoted(vertex.description));
}

}  // namespace

const LinkEnd& sender(const Snapshot& graph, Channel channel) {
  const Link& link = graph.at(channel.link);
  return channel.forward ? link.a : link.b;
}

const LinkEnd& receiver(const Snapshot& graph, Channel channel) {
  const Link& link = graph.at(channel.link);
  return channel.forward ? link.b : link.a;
}

RouteMap::RouteMap(const Snapshot& graph, const Subnet& subnet, const ForwardingTables& tables)
    : graph_(&graph), subnet_(&subnet), exits_(subnet.switches.size()) {
  for (std::size_t s = 0; s < subnet.switches.size(); ++s) {
    const SubnetSwitch& own = subnet.switches[s];
    tables_.push_back(tables.find(own.guid));
    const auto hops = graph.hops(own.vertex);
    WEIR_ASSERT(hops.size() == own.ports.size());
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const SwitchPort& port = own.ports[i];
      exits_[s].resize(port.number.index() + 1);
      exits_[s].back() = {
          {hops[i].link, graph.at(hops[i].link).a.vertex == own.vertex}, port.peer, port.end_port};
    }
  }
}

const RouteMap::Exit* RouteMap::exit(SwitchId at, Lid lid) const {
  const ForwardingTable* table = tables_[at.index()];
  if (table == nullptr) return nullptr;
  const std::uint8_t port = table->port_to(lid);
  const std::vector<Exit>& exits = exits_[at.index()];
  if (port >= exits.size() || exits[port].channel.link.is_none()) return nullptr;
  return &exits[port];
}

Result<const RouteMap::Exit*> RouteMap::exit_towards(SwitchId at, Lid lid, EndPortId to) const {
  const auto here = [&] { return name_of(graph_->at(subnet_->at(at).vertex)); };
  const auto there = [&] {
    return fmt::format("LID {} ({})", lid.value(),
                       quoted(graph_->at(subnet_->at(to).vertex).description));
  };
  const ForwardingTable* table = tables_[at.index()];
  if (table == nullptr)
    return bad_input(fmt::format("no route: switch {} has no forwarding table", here()));
  const std::uint8_t port = table->port_to(lid);
  if (port == kNoRoute)
    return bad_input(fmt::format("no route: switch {} does not know {}", here(), there()));
  const std::vector<Exit>& exits = exits_[at.index()];
  if (port >= exits.size() || exits[port].channel.link.is_none())
    return bad_input(fmt::format("dead end: switch {} sends {} to its port {}, where no cable is",
                                 here(), there(), port));
  const Exit& exit = exits[port];
  if (exit.next.is_none() && exit.end_port != to)
    return bad_input(fmt::format(
        "dead end: switch {} sends {} to its port {}, where {} is plugged in", here(), there(),
        port, quoted(graph_->at(subnet_->at(exit.end_port).vertex).description)));
  return &exit;
}

Result<Route> RouteMap::route(EndPortId from, EndPortId to) const {
  Route route;
  if (from == to) return route;
  const EndPort& source = subnet_->at(from);
  const Lid lid = subnet_->at(to).lid;
  Channel first = exits_[source.leaf.index()][source.leaf_port.index()].channel;
  first.forward = !first.forward;
  route.push_back(first);
  SwitchId at = source.leaf;
  for (std::size_t passed = 0; passed < subnet_->switches.size(); ++passed) {
    const Exit* exit = WEIR_TRY(exit_towards(at, lid, to));
    route.push_back(exit->channel);
    if (exit->next.is_none()) return route;
    at = exit->next;
  }
  return bad_input(fmt::format("loop: packets to LID {} come back to switch {}", lid.value(),
                               name_of(graph_->at(subnet_->at(at).vertex))));
}

}  // namespace weir::fabric
