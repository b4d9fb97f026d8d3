// Faults planted into a generated fabric: what cables and names look like when people were there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "fabric/generator.hpp"
#include "fabric/site_view.hpp"

namespace weir::testing {

class PlantedFabric {
 public:
  explicit PlantedFabric(const fabric::FatTree& plan)
      : draft_(fabric::draft_fat_tree(plan).value()) {}

  fabric::Vertex& vertex(std::string_view description) {
    for (fabric::Vertex& vertex : draft_.vertices)
      if (vertex.description == description) return vertex;
    throw std::runtime_error("no vertex is called " + std::string(description));
  }
  // "leaf-u1-r0" for "MF0;leaf-u1-r0:MQM9700/U1"
  fabric::Vertex& switch_called(std::string_view name) {
    return vertex("MF0;" + std::string(name) + ":MQM9700/U1");
  }

  // Takes the HCA out, as when its cable is cut: discovery does not reach it any more.
  void lose(std::string_view hca) {
    const Guid guid = vertex(hca).guid;
    unplug(guid);
    std::erase_if(draft_.vertices, [&](const fabric::Vertex& v) { return v.guid == guid; });
  }

  // Both cables' ends of the HCA go; the HCA stays.
  void unplug(Guid guid) {
    std::erase_if(draft_.ends, [&](const fabric::CableEnd& end) {
      return end.vertex == guid || end.peer == guid;
    });
  }

  // Removes the first cable between two vertices; false when there is none.
  bool cut(Guid a, Guid b) {
    const auto at = std::ranges::find_if(
        draft_.ends, [&](const fabric::CableEnd& end) { return end.vertex == a && end.peer == b; });
    if (at == draft_.ends.end()) return false;
    const fabric::CableEnd end = *at;
    std::erase_if(draft_.ends, [&](const fabric::CableEnd& other) {
      return (other.vertex == end.vertex && other.port == end.port) ||
             (other.vertex == end.peer && other.port == end.peer_port);
    });
    return true;
  }

  // A new cable between the first free ports; vertices grow a port when they have none.
  void plug(fabric::Vertex& a, fabric::Vertex& b) {
    const fabric::PortNumber port_a = free_port(a);
    const fabric::PortNumber port_b = free_port(b);
    const fabric::LinkRate rate{fabric::LinkWidth::k4x, fabric::LinkSpeed::kNdr};
    draft_.ends.push_back({a.guid, port_a, b.guid, port_b, rate, b.description});
    draft_.ends.push_back({b.guid, port_b, a.guid, port_a, rate, a.description});
  }

  void move(std::string_view hca, std::string_view to_switch) {
    unplug(vertex(hca).guid);
    plug(vertex(hca), switch_called(to_switch));
  }

  // A further HCA with this name on that switch.
  fabric::Vertex& add_hca(std::uint64_t guid, std::string_view description,
                          std::string_view on_switch) {
    fabric::Vertex hca;
    hca.guid = Guid(guid);
    hca.kind = fabric::VertexKind::kHca;
    hca.port_count = 1;
    hca.description = description;
    draft_.vertices.push_back(hca);
    plug(vertex_of(Guid(guid)), switch_called(on_switch));
    return vertex_of(Guid(guid));
  }
  fabric::Vertex& add_switch(std::uint64_t guid, std::string_view name) {
    fabric::Vertex made;
    made.guid = Guid(guid);
    made.kind = fabric::VertexKind::kSwitch;
    made.description = "MF0;" + std::string(name) + ":MQM9700/U1";
    draft_.vertices.push_back(made);
    return draft_.vertices.back();
  }
  fabric::Vertex& vertex_of(Guid guid) {
    return *std::ranges::find(draft_.vertices, guid, &fabric::Vertex::guid);
  }
  // Another fabric: all GUIDs and host names differ from those of one generated with the same plan.
  void make_different(std::uint64_t guid_offset) {
    for (fabric::Vertex& vertex : draft_.vertices) {
      vertex.guid = Guid(vertex.guid.value() + guid_offset);
      vertex.system_image = vertex.guid;
    }
    for (fabric::CableEnd& end : draft_.ends) {
      end.vertex = Guid(end.vertex.value() + guid_offset);
      end.peer = Guid(end.peer.value() + guid_offset);
    }
  }

  fabric::FabricDraft& draft() { return draft_; }
  [[nodiscard]] fabric::Snapshot snapshot() const { return fabric::assemble(draft_); }

 private:
  fabric::PortNumber free_port(fabric::Vertex& vertex) {
    for (std::uint8_t port = 1; port < 255; ++port) {
      const bool used = std::ranges::any_of(draft_.ends, [&](const fabric::CableEnd& end) {
        return end.vertex == vertex.guid && end.port == fabric::PortNumber(port);
      });
      if (used) continue;
      vertex.port_count = std::max(vertex.port_count, port);
      return fabric::PortNumber(port);
    }
    throw std::runtime_error("no port is free");
  }

  fabric::FabricDraft draft_;
};

// The small tree that most tests plant their faults in: 16 nodes, 4 rails, 4 units in 2 pods.
inline fabric::FatTree small_tree() {
  fabric::FatTree plan;
  plan.nodes = 16;
  plan.rails = 4;
  plan.nodes_per_unit = 4;
  plan.leaf_uplinks = 4;
  plan.spine_uplinks = 4;
  plan.cores_per_spine = 2;
  return plan;
}

inline std::size_t count_oddities(const fabric::SiteView& view, fabric::OddityKind kind) {
  return static_cast<std::size_t>(std::ranges::count(view.oddities, kind, &fabric::Oddity::kind));
}

// The compute node of that name. Throws when there is none.
inline const fabric::ComputeNode& node_called(const fabric::SiteView& view, std::string_view name) {
  for (const fabric::ComputeNode& node : view.nodes)
    if (view.host_of(node).name == name) return node;
  throw std::runtime_error("no compute node is called " + std::string(name));
}

}  // namespace weir::testing
