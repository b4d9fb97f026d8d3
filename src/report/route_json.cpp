#include "report/route_json.hpp"

#include "base/json.hpp"
#include "base/text.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

using fabric::Channel;
using fabric::RailNumber;
using fabric::SiteRoutes;
using fabric::SiteView;
using fabric::Snapshot;

void write_end(JsonWriter& json, std::string_view key, const Snapshot& graph,
               const fabric::LinkEnd& end) {
  const fabric::Vertex& vertex = graph.at(end.vertex);
  json.key(key);
  json.begin_object();
  json.field("name", clean_text(trim(vertex.description)));
  json.field("guid", fabric::to_text(vertex.guid));
  json.field("port", end.port.value());
  json.end_object();
}

// The two ends of a cable, in the direction of the packets, as fields of the open object.
void write_ends(JsonWriter& json, const Snapshot& graph, Channel channel) {
  write_end(json, "from", graph, sender(graph, channel));
  write_end(json, "to", graph, receiver(graph, channel));
}

void write_cables(JsonWriter& json, std::string_view key, const Snapshot& graph,
                  const fabric::Route& route) {
  json.list(key, route, [&](Channel channel) {
    json.begin_object();
    write_ends(json, graph, channel);
    json.end_object();
  });
}

std::string name_of(const SiteView& view, NodeId node) {
  return clean_text(view.host_of(view.nodes[node.index()]).name);
}

void write_plane(JsonWriter& json, const Snapshot& graph, const SiteRoutes::PlaneCheck& plane) {
  json.begin_object();
  json.field("switch", fabric::to_text(plane.subnet->switches.front().guid));
  json.field("pairs", plane.found.pairs);
  json.field("cut_pairs", plane.found.cut_pairs);
  if (plane.found.first_cut) {
    const auto& [from, to] = *plane.found.first_cut;
    const auto why = plane.map->route(from, to);
    json.field("first_cut", why ? "" : clean_text(why.error().message));
  }
  write_cables(json, "credit_loop", graph, plane.found.credit_loop);
  json.end_object();
}

// Port by LID, from LID 0 on; null where the switch sends nothing.
void write_ports(JsonWriter& json, const fabric::ForwardingTable& table, Lid last,
                 std::uint8_t port_count) {
  json.key("port_by_lid");
  json.begin_array();
  json.null();
  for (std::uint16_t lid = 1; lid <= last.value(); ++lid) {
    const std::uint8_t port = table.port_to(Lid(lid));
    if (port > port_count)
      json.null();
    else
      json.value(port);
  }
  json.end_array();
}

}  // namespace

std::string paths_json(const SiteView& view, const SiteRoutes& routes,
                       std::span<const NodeId, 2> ends, std::string_view tables) {
  JsonWriter json;
  json.begin_object();
  json.field("from", name_of(view, ends[0]));
  json.field("to", name_of(view, ends[1]));
  json.field("tables", tables);
  json.key("rails");
  json.begin_array();
  const auto by_rail = routes.by_rail(ends[0], ends[1]);
  for (std::size_t r = 0; r < by_rail.size(); ++r) {
    json.begin_object();
    json.field("rail", r);
    json.field("joined", by_rail[r].has_value());
    if (by_rail[r])
      write_cables(json, "cables", view.graph, *by_rail[r]);
    else
      json.field("why", clean_text(by_rail[r].error().message));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.text();
}

std::string ring_json(const SiteView& view, std::span<const NodeId> ranks,
                      std::span<const fabric::RingLoad> rails, std::string_view tables) {
  JsonWriter json;
  json.begin_object();
  json.list("ring", ranks, [&](NodeId node) { json.value(name_of(view, node)); });
  json.field("tables", tables);
  json.list("rails", rails, [&](const fabric::RingLoad& ring) {
    json.begin_object();
    json.field("rail", ring.rail.value());
    json.field("routes", ring.routes);
    json.field("over_spines", ring.over_spines);
    if (ring.busiest) {
      json.key("busiest");
      json.begin_object();
      json.field("routes", ring.busiest->routes);
      write_ends(json, view.graph, ring.busiest->channel);
      json.end_object();
    }
    json.end_object();
  });
  json.end_object();
  return json.text();
}

std::string check_json(const Snapshot& graph, std::span<const SiteRoutes::PlaneCheck> planes,
                       std::string_view tables) {
  JsonWriter json;
  json.begin_object();
  json.field("tables", tables);
  json.list("planes", planes,
            [&](const SiteRoutes::PlaneCheck& plane) { write_plane(json, graph, plane); });
  json.end_object();
  return json.text();
}

std::string tables_json(const Snapshot& graph, std::span<const PlaneTables> planes,
                        std::string_view tables) {
  JsonWriter json(0);
  json.begin_object();
  json.field("tables", tables);
  json.list("planes", planes, [&](const PlaneTables& plane) {
    json.begin_object();
    json.field("last_lid", plane.subnet.last_lid.value());
    json.list("switches", plane.subnet.switches, [&](const fabric::SubnetSwitch& own) {
      const fabric::ForwardingTable* table = plane.tables.find(own.guid);
      if (table == nullptr) return;
      const fabric::Vertex& vertex = graph.at(own.vertex);
      json.begin_object();
      json.field("name", clean_text(trim(vertex.description)));
      json.field("guid", fabric::to_text(own.guid));
      json.field("lid", own.lid.value());
      write_ports(json, *table, plane.subnet.last_lid, vertex.port_count);
      json.end_object();
    });
    json.end_object();
  });
  json.end_object();
  return json.text();
}

}  // namespace weir::report
