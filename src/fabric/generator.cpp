#include "fabric/generator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "fabric/fat_tree_shape.hpp"

namespace weir::fabric {
namespace {

// GUIDs from the locally administered space (EUI-64 with the local bit), by sort of vertex.
constexpr std::uint64_t kGuidBase = 0x0200'5745'4900'0000;
constexpr std::uint64_t kHcaBase = kGuidBase + 0x10'0000;
constexpr std::uint64_t kSwitchBase = kGuidBase + 0x80'0000;
constexpr std::uint64_t kGuidStep = 4;
constexpr std::uint32_t kVendor = 0x2c9;  // Mellanox, NVIDIA

// Hardware of one generation, as it calls itself.
struct Generation {
  std::uint32_t hca_device;
  std::uint32_t switch_device;
  const char* switch_model;
};
Generation generation_of(LinkSpeed speed) {
  if (speed == LinkSpeed::kXdr) return {0x1023, 0xd2f4, "Q3400"};    // ConnectX-8, Quantum-X800
  if (speed == LinkSpeed::kHdr) return {0x101b, 0xd2f0, "MQM8700"};  // ConnectX-6, Quantum
  return {0x1021, 0xd2f2, "MQM9700"};                                // ConnectX-7, Quantum-2
}

// Builds the draft of one plane: vertices first, then cables by walking the tree from below.
class Builder {
 public:
  Builder(const FatTree& plan, const FatTreeShape& shape, std::uint32_t plane)
      : plan_(plan),
        shape_(shape),
        plane_(plane),
        hardware_(generation_of(plan.rate.speed)),
        spine_next_port_(shape.spines, 1) {}

  FabricDraft build() {
    add_switches();
    for (std::uint32_t n = 0; n < plan_.nodes; ++n)
      for (std::uint32_t rail = 0; rail < shape_.rails; ++rail) add_node_hca(n, rail);
    if (plane_ == 0) add_managers();
    for (std::uint32_t leaf = 0; leaf < shape_.leaves; ++leaf) cable_leaf(leaf);
    for (std::uint32_t spine = 0; shape_.cores > 0 && spine < shape_.spines; ++spine)
      cable_spine(spine);
    return std::move(draft_);
  }

 private:
  // Switches of the plane are numbered leaves first, then spines, then cores.
  [[nodiscard]] Guid switch_guid(std::uint32_t index) const {
    return Guid(kSwitchBase + (std::uint64_t{plane_} * shape_.switches() + index) * kGuidStep);
  }
  [[nodiscard]] std::uint32_t rail_of_site(std::uint32_t rail) const {
    return plane_ * shape_.rails + rail;
  }
  // Tells the planes' switches apart where no rail in the name does.
  [[nodiscard]] std::string plane_text() const {
    return plan_.planes == 1 ? "" : fmt::format("n{}-", plane_ + 1);
  }

  void add_switch(std::uint32_t index, std::uint32_t ports, const std::string& name) {
    const Guid guid = switch_guid(index);
    draft_.vertices.push_back(
        {.guid = guid,
         .kind = VertexKind::kSwitch,
         .port_count = static_cast<std::uint8_t>(ports),
         .vendor_id = kVendor,
         .device_id = hardware_.switch_device,
         .system_image = guid,
         .description = fmt::format("MF0;{}:{}/U1", name, hardware_.switch_model),
         .addresses = {{PortNumber(0), guid, next_lid(), 0}}});
  }

  void add_switches() {
    for (std::uint32_t leaf = 0; leaf < shape_.leaves; ++leaf)
      add_switch(leaf, shape_.leaf_ports,
                 shape_.is_packed(leaf) ? fmt::format("leaf-{}u{}-{}", plane_text(), shape_.units,
                                                      leaf - (shape_.units - 1) * shape_.rails + 1)
                                        : fmt::format("leaf-u{}-r{}", leaf / shape_.rails + 1,
                                                      rail_of_site(leaf % shape_.rails)));
    for (std::uint32_t group = 0; group < shape_.spine_groups; ++group)
      for (std::uint32_t s = 0; s < plan_.spines_per_rail; ++s)
        add_switch(shape_.leaves + group * plan_.spines_per_rail + s, shape_.spine_ports,
                   spine_name(group, s));
    for (std::uint32_t core = 0; core < shape_.cores; ++core)
      add_switch(shape_.leaves + shape_.spines + core, shape_.core_ports,
                 fmt::format("core-{}{}-{}", plane_text(), core / plan_.cores_per_spine + 1,
                             core % plan_.cores_per_spine + 1));
  }

  [[nodiscard]] std::string spine_name(std::uint32_t group, std::uint32_t number) const {
    if (plan_.shared_spines)
      return fmt::format("spine-{}p{}-{}", plane_text(), group + 1, number + 1);
    return fmt::format("spine-p{}-r{}-{}", group / shape_.rails + 1,
                       rail_of_site(group % shape_.rails), number + 1);
  }

  void add_hca(std::uint64_t number, const std::string& name, std::uint32_t leaf,
               std::uint32_t leaf_port) {
    const Guid guid(kHcaBase + number * kGuidStep);
    // The port has a GUID of its own, numbered as ibsim numbers it.
    const Guid port_guid(guid.value() + 1);
    draft_.vertices.push_back({.guid = guid,
                               .kind = VertexKind::kHca,
                               .port_count = 1,
                               .vendor_id = kVendor,
                               .device_id = hardware_.hca_device,
                               .system_image = guid,
                               .description = name,
                               .addresses = {{PortNumber(1), port_guid, next_lid(), 0}}});
    cable({guid, PortNumber(1)}, end(leaf, leaf_port), name);
  }

  void add_node_hca(std::uint32_t node, std::uint32_t rail) {
    const auto digits = std::max<std::size_t>(3, fmt::formatted_size("{}", plan_.nodes));
    const std::uint32_t site_rail = rail_of_site(rail);
    const LeafPlace place = place_of(plan_, shape_, node, rail);
    add_hca(std::uint64_t{node} * plan_.rails + site_rail,
            fmt::format("{}{:0{}} mlx5_{}", plan_.node_name, node + 1, digits, site_rail),
            place.leaf, place.port);
  }

  // Two ports a host: each fabric manager has a stand-by.
  void add_managers() {
    for (std::uint32_t k = 0; k < plan_.manager_ports; ++k)
      add_hca(std::uint64_t{plan_.nodes} * plan_.rails + k,
              fmt::format("ufm{} mlx5_{}", k / 2 + 1, k % 2), k % shape_.rails,
              plan_.first_unit_nodes + k / shape_.rails + 1);
  }

  // Cables that leave a leaf, spine by spine. Where they do not divide, the next leaf goes on at
  // the spine where this one ended, so that all spines get as many.
  void cable_leaf(std::uint32_t leaf) {
    const std::uint32_t spines = plan_.spines_per_rail;
    const std::uint32_t start = leaf * plan_.leaf_uplinks % spines;
    std::uint32_t up_port = plan_.nodes_per_unit;
    for (std::uint32_t s = 0; s < spines; ++s) {
      const std::uint32_t extra =
          (s + spines - start) % spines < plan_.leaf_uplinks % spines ? 1 : 0;
      const std::uint32_t spine = first_spine_above(leaf) + s;
      for (std::uint32_t i = 0; i < plan_.leaf_uplinks / spines + extra; ++i)
        cable(end(leaf, ++up_port), end(shape_.leaves + spine, spine_next_port_[spine]++), {});
    }
  }

  [[nodiscard]] std::uint32_t first_spine_above(std::uint32_t leaf) const {
    const std::uint32_t pod = leaf / shape_.rails / plan_.units_per_pod;
    const std::uint32_t group =
        plan_.shared_spines ? pod : pod * shape_.rails + leaf % shape_.rails;
    return group * plan_.spines_per_rail;
  }

  void cable_spine(std::uint32_t spine) {
    const std::uint32_t each = plan_.spine_uplinks / plan_.cores_per_spine;
    const std::uint32_t beside = plan_.spines_per_rail / shape_.core_groups;
    const std::uint32_t group = spine / plan_.spines_per_rail;
    const std::uint32_t number = spine % plan_.spines_per_rail;
    const std::uint32_t first_core =
        shape_.leaves + shape_.spines + number / beside * plan_.cores_per_spine;
    for (std::uint32_t i = 0; i < plan_.spine_uplinks; ++i) {
      const std::uint32_t down_port = (group * beside + number % beside) * each + i % each + 1;
      cable(end(shape_.leaves + spine, shape_.spine_down + i + 1),
            end(first_core + i / each, down_port), {});
    }
  }

  struct End {
    Guid vertex;
    PortNumber port;
  };
  [[nodiscard]] End end(std::uint32_t switch_index, std::uint32_t port) const {
    return {switch_guid(switch_index), PortNumber(static_cast<std::uint8_t>(port))};
  }

  void cable(End a, End b, const std::string& name_of_a) {
    draft_.ends.push_back({a.vertex, a.port, b.vertex, b.port, plan_.rate, {}});
    draft_.ends.push_back({b.vertex, b.port, a.vertex, a.port, plan_.rate, name_of_a});
  }

  Lid next_lid() { return Lid(++last_lid_); }

  const FatTree& plan_;
  const FatTreeShape& shape_;
  std::uint32_t plane_;
  Generation hardware_;
  std::vector<std::uint32_t> spine_next_port_;
  FabricDraft draft_;
  std::uint16_t last_lid_ = 0;
};

}  // namespace

FatTree fat_tree_of(std::uint32_t nodes) {
  FatTree plan;
  plan.nodes = nodes;
  if (nodes <= 128) return plan;
  plan.units_per_pod = 8;
  plan.spines_per_rail = 8;
  plan.cores_per_spine = 16;
  // Two cables from each spine to each core up to four pods, then one: the core has no more ports.
  if (nodes > 1'024) plan.cores_per_spine = 32;
  return plan;
}

Result<FatTreeCounts> count_switches(const FatTree& plan) {
  const FatTreeShape shape = WEIR_TRY(shape_of(plan));
  return FatTreeCounts{plan.planes * shape.leaves, plan.planes * shape.spines,
                       plan.planes * shape.cores};
}

Result<FabricDraft> draft_fat_tree(const FatTree& plan) {
  const FatTreeShape shape = WEIR_TRY(shape_of(plan));
  FabricDraft all = Builder(plan, shape, 0).build();
  for (std::uint32_t plane = 1; plane < plan.planes; ++plane) {
    FabricDraft next = Builder(plan, shape, plane).build();
    std::ranges::move(next.vertices, std::back_inserter(all.vertices));
    std::ranges::move(next.ends, std::back_inserter(all.ends));
  }
  return all;
}

Result<Snapshot> generate(const FatTree& plan) { return assemble(WEIR_TRY(draft_fat_tree(plan))); }

Result<std::vector<Snapshot>> generate_planes(const FatTree& plan) {
  const FatTreeShape shape = WEIR_TRY(shape_of(plan));
  std::vector<Snapshot> planes;
  for (std::uint32_t plane = 0; plane < plan.planes; ++plane)
    planes.push_back(assemble(Builder(plan, shape, plane).build()));
  return planes;
}

}  // namespace weir::fabric
