// SiteRoutes: the routes of a whole site, over all its planes: from node to node on a rail, and
// what a gang that talks in a ring puts on the cables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "fabric/link_load.hpp"
#include "fabric/route_map.hpp"
#include "fabric/routing.hpp"
#include "fabric/site_view.hpp"
#include "fabric/table_check.hpp"

namespace weir::fabric {

// One rail of a gang whose ranks stand in a ring: each sends to the next, the last to the first.
struct RingLoad {
  RailNumber rail;
  std::uint32_t routes = 0;
  std::uint32_t over_spines = 0;          // routes that leave their first leaf for another switch
  std::optional<LinkLoad::Busy> busiest;  // of the cables between switches
};

class SiteRoutes {
 public:
  // Tables computed by a rule, plane by plane. Errors: as compute_tables and subnets_of; the
  // message tells the plane. REQUIRES: `view` outlives the routes; so below.
  static Result<SiteRoutes> compute(const SiteView& view, const RoutingOptions& options);
  // Tables as dumped; those of all planes may stand together.
  static Result<SiteRoutes> from_tables(const SiteView& view, ForwardingTables tables);

  // Errors: a node has no HCA on that rail, the HCAs are in different planes, or as
  // RouteMap::route.
  [[nodiscard]] Result<Route> route(NodeId from, NodeId to, RailNumber rail) const;

  // The same for each rail that either node has, in the order of rails.
  [[nodiscard]] std::vector<Result<Route>> by_rail(NodeId from, NodeId to) const;

  // One entry for each rail that all the nodes have, in the order of rails. Errors: as route; no
  // rail that all have. REQUIRES: at least two nodes; `scratch` is of the view's graph.
  [[nodiscard]] Result<std::vector<RingLoad>> ring(std::span<const NodeId> ranks,
                                                   LinkLoad& scratch) const;
  [[nodiscard]] Result<std::vector<RingLoad>> ring(std::span<const NodeId> ranks) const;

  // Of each plane that has switches: its map, to follow what the check names, and the check.
  struct PlaneCheck {
    const RouteMap* map = nullptr;
    const Subnet* subnet = nullptr;
    TableCheck found;
  };
  [[nodiscard]] std::vector<PlaneCheck> check() const;
  [[nodiscard]] std::size_t planes() const { return maps_.size(); }

 private:
  struct Plug {
    std::uint32_t plane = UINT32_MAX;  // index in maps_
    EndPortId port = EndPortId::none();
  };
  struct Planes {
    std::vector<Subnet> subnets;
    ForwardingTables tables;
  };

  SiteRoutes(const SiteView& view, std::unique_ptr<Planes> planes);
  [[nodiscard]] Result<Plug> plug_of(NodeId node, RailNumber rail) const;

  const SiteView* view_;
  std::unique_ptr<Planes> planes_;  // the maps point into it
  std::vector<RouteMap> maps_;
  std::vector<Plug> plugs_;  // by vertex: the lowest port that is plugged into a switch
};

}  // namespace weir::fabric
