#include "report/fabric_json.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "report/fabric_words.hpp"
#include "report/format.hpp"

namespace weir::report {
namespace {

using fabric::SiteView;
using fabric::VertexKind;

class FabricJson {
 public:
  explicit FabricJson(const SiteView& view) : view_(view) {}

  std::string write(std::span<const std::string> sources) {
    json_.begin_object();
    json_.list("sources", sources,
               [&](const std::string& source) { json_.value(clean_text(source)); });
    json_.field("complete", view_.graph.complete());
    json_.list("gaps", view_.graph.gaps, [&](const fabric::Gap& gap) { write(gap); });
    counts();
    planes();
    json_.key("fabrics");
    json_.begin_array();
    for (std::uint32_t f = 0; f < view_.fabrics.size(); ++f) write_fabric(f);
    json_.end_array();
    json_.list("other_hosts", view_.hosts, [&](const fabric::Host& host) {
      if (!host.compute) write(host);
    });
    json_.list("chassis", view_.chassis, [&](const fabric::Chassis& box) { write(box); });
    json_.list("oddities", view_.oddities, [&](const fabric::Oddity& oddity) { write(oddity); });
    json_.end_object();
    return json_.text();
  }

 private:
  std::string name_of(fabric::VertexId id) const {
    return clean_text(trim(view_.graph.at(id).description));
  }

  void write(const fabric::Gap& gap) {
    json_.begin_object();
    json_.field("what", clean_text(gap_text(view_, gap)));
    json_.field("why", gap_sentence(gap.kind, 1).substr(2));
    json_.field("guid", fabric::to_text(gap.end.vertex));
    json_.field("port", gap.end.port.value());
    json_.field("peer_guid", fabric::to_text(gap.end.peer));
    json_.field("peer_port", gap.end.peer_port.value());
    json_.end_object();
  }

  void counts() {
    const auto of_kind = [&](VertexKind kind) {
      return std::ranges::count(view_.graph.vertices, kind, &fabric::Vertex::kind);
    };
    json_.key("counts");
    json_.begin_object();
    json_.field("switches", of_kind(VertexKind::kSwitch));
    json_.field("hcas", of_kind(VertexKind::kHca) - std::int64_t{view_.aggregation_nodes});
    json_.field("aggregation_nodes", view_.aggregation_nodes);
    json_.field("routers", of_kind(VertexKind::kRouter));
    json_.field("cables", view_.graph.links.size());
    json_.field("hosts", view_.hosts.size());
    json_.field("compute_nodes", view_.nodes.size());
    json_.field("units", view_.units.size());
    json_.field("pods", view_.pods.size());
    json_.field("fabrics", view_.fabrics.size());
    json_.field("planes", view_.planes.size());
    json_.end_object();
  }

  void planes() {
    json_.list("planes", view_.planes, [&](const fabric::Plane& plane) {
      json_.begin_object();
      json_.field("switches", plane.switches.size());
      json_.field("hcas", plane.hcas);
      json_.field("usual_rate", fabric::to_text(plane.usual_rate));
      json_.field("compute", plane.compute);
      json_.end_object();
    });
  }

  void write_fabric(std::uint32_t number) {
    const fabric::Fabric& fabric = view_.fabrics[number];
    json_.begin_object();
    json_.field("fabric", number + 1);
    json_.key("rails");
    json_.begin_array();
    for (std::size_t r = 0; r < fabric.plane_by_rail.size(); ++r) write_rail(fabric, r);
    json_.end_array();
    json_.list("tiers", fabric.tiers, [&](const fabric::Tier& tier) { write(tier); });
    json_.key("pods");
    json_.begin_array();
    for (std::uint32_t p = 0; p < view_.pods.size(); ++p)
      if (view_.pods[p].fabric == DomainId(number)) write_pod(p);
    json_.end_array();
    json_.end_object();
  }

  void write_rail(const fabric::Fabric& fabric, std::size_t rail) {
    const fabric::PlaneId plane = fabric.plane_by_rail[rail];
    json_.begin_object();
    json_.field("rail", rail);
    json_.key("plane");
    if (plane.is_none())
      json_.null();
    else
      json_.value(plane.value() + 1);
    if (rail < fabric.usual_devices.size())
      json_.field("device", clean_text(fabric.usual_devices[rail].text));
    json_.end_object();
  }

  void write(const fabric::Tier& tier) {
    json_.begin_object();
    json_.field("rank", fabric::rank_name(tier.rank));
    json_.field("switches", tier.switches);
    json_.field("links_down", tier.links_down);
    json_.field("links_up", tier.links_up);
    json_.field("down_gbps", tier.down.gbps());
    json_.field("up_gbps", tier.up.gbps());
    json_.key("down_to_up");
    if (tier.up == Bandwidth())
      json_.null();
    else
      json_.value(tier.down.gbps() / tier.up.gbps());
    if (!tier.worst.is_none()) {
      json_.field("worst_switch", name_of(tier.worst));
      json_.field("worst_down_to_up", tier.worst_down.gbps() / tier.worst_up.gbps());
    }
    json_.end_object();
  }

  void write_pod(std::uint32_t number) {
    json_.begin_object();
    json_.field("pod", number + 1);
    json_.list("spines", view_.pods[number].spines,
               [&](fabric::VertexId spine) { json_.value(name_of(spine)); });
    json_.key("units");
    json_.begin_array();
    for (std::uint32_t u = 0; u < view_.units.size(); ++u)
      if (view_.units[u].pod == DomainId(number)) write_unit(u);
    json_.end_array();
    json_.end_object();
  }

  void write_unit(std::uint32_t number) {
    const fabric::Unit& unit = view_.units[number];
    json_.begin_object();
    json_.field("unit", number + 1);
    json_.list("leaves", unit.leaves, [&](fabric::VertexId leaf) { json_.value(name_of(leaf)); });
    json_.key("nodes");
    json_.begin_array();
    for (std::uint32_t n = 0; n < unit.node_count; ++n)
      write_node(view_.nodes[unit.first_node + n]);
    json_.end_array();
    json_.end_object();
  }

  void write_node(const fabric::ComputeNode& node) {
    json_.begin_object();
    json_.field("name", clean_text(view_.host_of(node).name));
    json_.key("linked_rails");
    json_.begin_array();
    for (std::size_t r = 0; r < node.hca_by_rail.size(); ++r)
      if ((node.rails >> r & 1U) != 0) json_.value(r);
    json_.end_array();
    json_.list("hca_by_rail", node.hca_by_rail, [&](Guid guid) {
      if (guid == Guid(0))
        json_.null();
      else
        json_.value(fabric::to_text(guid));
    });
    json_.end_object();
  }

  void write(const fabric::Host& host) {
    json_.begin_object();
    json_.field("name", clean_text(host.name));
    json_.list("hcas", host.hcas,
               [&](const fabric::HostHca& hca) { json_.value(clean_text(hca.device.text)); });
    json_.end_object();
  }

  void write(const fabric::Chassis& box) {
    json_.begin_object();
    json_.field("name", clean_text(box.name));
    json_.list("switches", box.switches, [&](fabric::VertexId at) { json_.value(name_of(at)); });
    json_.end_object();
  }

  void write(const fabric::Oddity& oddity) {
    json_.begin_object();
    json_.field("kind", to_text(oddity.kind));
    json_.field("subject", clean_text(oddity.subject));
    json_.field("detail", clean_text(oddity.detail));
    json_.end_object();
  }

  const SiteView& view_;
  JsonWriter json_;
};

}  // namespace

std::string fabric_json(const SiteView& view, std::span<const std::string> sources) {
  return FabricJson(view).write(sources);
}

}  // namespace weir::report
