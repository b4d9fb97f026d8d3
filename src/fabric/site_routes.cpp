#include "fabric/site_routes.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir::fabric {
namespace {

// A switch keeps its own LID. Where it sends that to a port, somebody else had the LID when the
// tables were written.
Status check_lids(const SiteView& view, const std::vector<Subnet>& subnets,
                  const ForwardingTables& tables) {
  for (const Subnet& subnet : subnets)
    for (const SubnetSwitch& own : subnet.switches) {
      const ForwardingTable* table = tables.find(own.guid);
      if (table == nullptr || table->port_to(own.lid) == 0) continue;
      return bad_input(fmt::format(
          "the tables and the cables are from different times: switch {} {} has LID {} by the "
          "cables, but not by its table. Dump both while one subnet manager runs",
          to_text(own.guid), quoted(view.graph.at(own.vertex).description), own.lid.value()));
    }
  return {};
}

}  // namespace

Result<SiteRoutes> SiteRoutes::compute(const SiteView& view, const RoutingOptions& options) {
  auto planes = std::make_unique<Planes>();
  planes->subnets = WEIR_TRY(subnets_of(view.graph));
  for (const Subnet& subnet : planes->subnets) {
    Result<ForwardingTables> tables = compute_tables(subnet, options);
    if (!tables)
      return bad_input(fmt::format("plane of switch {}: {}", to_text(subnet.switches.front().guid),
                                   tables.error().message));
    std::ranges::move(tables->switches, std::back_inserter(planes->tables.switches));
  }
  std::ranges::sort(planes->tables.switches, {}, &ForwardingTable::switch_guid);
  return SiteRoutes(view, std::move(planes));
}

Result<SiteRoutes> SiteRoutes::from_tables(const SiteView& view, ForwardingTables tables) {
  auto planes = std::make_unique<Planes>();
  planes->subnets = WEIR_TRY(subnets_of(view.graph));
  planes->tables = std::move(tables);
  WEIR_TRY(check_lids(view, planes->subnets, planes->tables));
  return SiteRoutes(view, std::move(planes));
}

SiteRoutes::SiteRoutes(const SiteView& view, std::unique_ptr<Planes> planes)
    : view_(&view), planes_(std::move(planes)), plugs_(view.graph.vertices.size()) {
  for (std::uint32_t p = 0; p < planes_->subnets.size(); ++p) {
    const Subnet& subnet = planes_->subnets[p];
    maps_.emplace_back(view.graph, subnet, planes_->tables);
    for (std::uint32_t e = 0; e < subnet.end_ports.size(); ++e) {
      const EndPort& end = subnet.end_ports[e];
      Plug& plug = plugs_[end.vertex.index()];
      const bool first =
          plug.port.is_none() || end.port < planes_->subnets[plug.plane].at(plug.port).port;
      if (first) plug = {p, EndPortId(e)};
    }
  }
}

Result<SiteRoutes::Plug> SiteRoutes::plug_of(NodeId node, RailNumber rail) const {
  const ComputeNode& own = view_->nodes[node.index()];
  if (rail.index() < own.hca_by_rail.size() && (own.rails >> rail.value() & 1) != 0)
    if (const auto vertex = view_->graph.find(own.hca_by_rail[rail.index()]))
      if (const Plug plug = plugs_[vertex->index()]; !plug.port.is_none()) return plug;
  return bad_input(
      fmt::format("{} is not linked on rail {}", quoted(view_->host_of(own).name), rail.value()));
}

Result<Route> SiteRoutes::route(NodeId from, NodeId to, RailNumber rail) const {
  const Plug a = WEIR_TRY(plug_of(from, rail));
  const Plug b = WEIR_TRY(plug_of(to, rail));
  if (a.plane != b.plane)
    return bad_input(fmt::format("rail {} of {} and of {} are in different planes", rail.value(),
                                 quoted(view_->host_of(view_->nodes[from.index()]).name),
                                 quoted(view_->host_of(view_->nodes[to.index()]).name)));
  return maps_[a.plane].route(a.port, b.port);
}

std::vector<Result<Route>> SiteRoutes::by_rail(NodeId from, NodeId to) const {
  const std::size_t rails = std::max(view_->nodes[from.index()].hca_by_rail.size(),
                                     view_->nodes[to.index()].hca_by_rail.size());
  std::vector<Result<Route>> found;
  for (std::size_t r = 0; r < rails; ++r)
    found.push_back(route(from, to, RailNumber(static_cast<std::uint8_t>(r))));
  return found;
}

Result<std::vector<RingLoad>> SiteRoutes::ring(std::span<const NodeId> ranks) const {
  LinkLoad load(view_->graph);
  return ring(ranks, load);
}

Result<std::vector<RingLoad>> SiteRoutes::ring(std::span<const NodeId> ranks,
                                               LinkLoad& scratch) const {
  RailMask common = static_cast<RailMask>(~RailMask{0});
  for (const NodeId node : ranks)
    common = static_cast<RailMask>(common & view_->nodes[node.index()].rails);
  if (common == 0) return bad_input("there is no rail that all the nodes are linked on");
  std::vector<RingLoad> rails;
  for (std::uint8_t r = 0; r < limits::kRails; ++r) {
    if ((common >> r & 1) == 0) continue;
    RingLoad ring{.rail = RailNumber(r), .busiest = {}};
    scratch.clear();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const Route way = WEIR_TRY(route(ranks[i], ranks[(i + 1) % ranks.size()], ring.rail));
      scratch.add(way);
      ++ring.routes;
      if (way.size() > 2) ++ring.over_spines;
    }
    ring.busiest = scratch.busiest(view_->graph);
    rails.push_back(ring);
  }
  return rails;
}

std::vector<SiteRoutes::PlaneCheck> SiteRoutes::check() const {
  std::vector<PlaneCheck> planes;
  for (std::size_t p = 0; p < maps_.size(); ++p) {
    const Subnet& subnet = planes_->subnets[p];
    planes.push_back({&maps_[p], &subnet, check_tables(view_->graph, maps_[p], subnet)});
  }
  return planes;
}

}  // namespace weir::fabric
