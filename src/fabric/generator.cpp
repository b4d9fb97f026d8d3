#include "fabric/generator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace weir::fabric {
namespace {

// GUIDs from the locally administered space (EUI-64 with the local bit), by sort of vertex.
constexpr std::uint64_t kGuidBase = 0x0200'5745'4900'0000;
constexpr std::uint64_t kHcaBase = kGuidBase + 0x10'0000;
constexpr std::uint64_t kSwitchBase = kGuidBase + 0x80'0000;
constexpr std::uint64_t kGuidStep = 4;

constexpr std::uint32_t kVendor = 0x2c9;         // Mellanox, NVIDIA
constexpr std::uint32_t kHcaDevice = 0x1021;     // ConnectX-7
constexpr std::uint32_t kSwitchDevice = 0xd2f2;  // Quantum-2

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); }

struct Shape {
  std::uint32_t units;
  std::uint32_t pods;
  std::uint32_t leaves;
  std::uint32_t spines;
  std::uint32_t cores;
  std::uint32_t leaf_ports;
  std::uint32_t spine_ports;
  std::uint32_t core_ports;
};

Result<Shape> shape_of(const FatTree& plan) {
  if (plan.nodes == 0 || plan.rails == 0 || plan.nodes_per_unit == 0 || plan.units_per_pod == 0 ||
      plan.spines_per_rail == 0 || plan.leaf_uplinks == 0)
    return bad_input("fat tree: nodes, rails, units, spines and uplinks must not be zero");
  if (plan.nodes > limits::kNodes || plan.rails > limits::kRails)
    return over_limit(
        fmt::format("fat tree: at most {} nodes and {} rails", limits::kNodes, limits::kRails));
  if (plan.leaf_uplinks % plan.spines_per_rail != 0 ||
      (plan.cores_per_spine != 0 && plan.spine_uplinks % plan.cores_per_spine != 0))
    return bad_input("fat tree: uplinks must divide evenly among the switches above");
  const std::uint32_t up = plan.cores_per_spine == 0 ? 0 : plan.spine_uplinks;
  Shape shape{};
  shape.units = ceil_div(plan.nodes, plan.nodes_per_unit);
  shape.pods = ceil_div(shape.units, plan.units_per_pod);
  shape.leaves = shape.units * plan.rails;
  shape.spines = shape.pods * plan.rails * plan.spines_per_rail;
  shape.cores = plan.spines_per_rail * plan.cores_per_spine;
  shape.leaf_ports = plan.nodes_per_unit + plan.leaf_uplinks;
  shape.spine_ports = plan.units_per_pod * (plan.leaf_uplinks / plan.spines_per_rail) + up;
  shape.core_ports =
      plan.cores_per_spine == 0 ? 0 : shape.pods * plan.rails * (up / plan.cores_per_spine);
  const std::uint32_t most = std::max({shape.leaf_ports, shape.spine_ports, shape.core_ports});
  if (most > limits::kPortNumber)
    return over_limit(fmt::format("fat tree: a switch would need {} ports, at most {} exist", most,
                                  limits::kPortNumber));
  const std::uint64_t lids =
      std::uint64_t{plan.nodes} * plan.rails + shape.leaves + shape.spines + shape.cores;
  if (lids > limits::kLastUnicastLid)
    return over_limit(fmt::format("fat tree: {} vertices exceed the {} LIDs of one plane", lids,
                                  limits::kLastUnicastLid));
  return shape;
}

// Builds the draft: vertices first, then cables by walking the tree from below.
class Builder {
 public:
  Builder(const FatTree& plan, const Shape& shape) : plan_(plan), shape_(shape) {}

  FabricDraft build() {
    add_switches();
    for (std::uint32_t n = 0; n < plan_.nodes; ++n)
      for (std::uint32_t rail = 0; rail < plan_.rails; ++rail) add_hca(n, rail);
    for (std::uint32_t unit = 0; unit < shape_.units; ++unit)
      for (std::uint32_t rail = 0; rail < plan_.rails; ++rail) cable_leaf(unit, rail);
    for (std::uint32_t pod = 0; shape_.cores > 0 && pod < shape_.pods; ++pod)
      for (std::uint32_t rail = 0; rail < plan_.rails; ++rail)
        for (std::uint32_t spine = 0; spine < plan_.spines_per_rail; ++spine)
          cable_spine(pod, rail, spine);
    return std::move(draft_);
  }

 private:
  std::uint32_t leaf(std::uint32_t unit, std::uint32_t rail) const {
    return unit * plan_.rails + rail;
  }
  std::uint32_t spine(std::uint32_t pod, std::uint32_t rail, std::uint32_t number) const {
    return shape_.leaves + (pod * plan_.rails + rail) * plan_.spines_per_rail + number;
  }
  std::uint32_t core(std::uint32_t spine_number, std::uint32_t number) const {
    return shape_.leaves + shape_.spines + spine_number * plan_.cores_per_spine + number;
  }
  static Guid switch_guid(std::uint32_t index) { return Guid(kSwitchBase + index * kGuidStep); }

  void add_switch(std::uint32_t index, std::uint32_t ports, const std::string& name) {
    const Guid guid = switch_guid(index);
    draft_.vertices.push_back({.guid = guid,
                               .kind = VertexKind::kSwitch,
                               .port_count = static_cast<std::uint8_t>(ports),
                               .vendor_id = kVendor,
                               .device_id = kSwitchDevice,
                               .system_image = guid,
                               .description = fmt::format("MF0;{}:MQM9700/U1", name),
                               .addresses = {{PortNumber(0), guid, next_lid(), 0}}});
  }

  void add_switches() {
    for (std::uint32_t unit = 0; unit < shape_.units; ++unit)
      for (std::uint32_t rail = 0; rail < plan_.rails; ++rail)
        add_switch(leaf(unit, rail), shape_.leaf_ports,
                   fmt::format("leaf-u{}-r{}", unit + 1, rail));
    for (std::uint32_t pod = 0; pod < shape_.pods; ++pod)
      for (std::uint32_t rail = 0; rail < plan_.rails; ++rail)
        for (std::uint32_t s = 0; s < plan_.spines_per_rail; ++s)
          add_switch(spine(pod, rail, s), shape_.spine_ports,
                     fmt::format("spine-p{}-r{}-{}", pod + 1, rail, s + 1));
    for (std::uint32_t s = 0; shape_.cores > 0 && s < plan_.spines_per_rail; ++s)
      for (std::uint32_t c = 0; c < plan_.cores_per_spine; ++c)
        add_switch(core(s, c), shape_.core_ports, fmt::format("core-{}-{}", s + 1, c + 1));
  }

  void add_hca(std::uint32_t node, std::uint32_t rail) {
    const Guid guid(kHcaBase + (std::uint64_t{node} * plan_.rails + rail) * kGuidStep);
    const auto digits = std::max<std::size_t>(3, fmt::formatted_size("{}", plan_.nodes));
    const std::uint32_t unit = node / plan_.nodes_per_unit;
    draft_.vertices.push_back(
        {.guid = guid,
         .kind = VertexKind::kHca,
         .port_count = 1,
         .vendor_id = kVendor,
         .device_id = kHcaDevice,
         .system_image = guid,
         .description = fmt::format("{}{:0{}} mlx5_{}", plan_.node_name, node + 1, digits, rail),
         .addresses = {{PortNumber(1), guid, next_lid(), 0}}});
    const auto port = static_cast<std::uint8_t>(node % plan_.nodes_per_unit + 1);
    const std::string& name = draft_.vertices.back().description;
    cable({guid, PortNumber(1)}, {switch_guid(leaf(unit, rail)), PortNumber(port)}, name);
  }

  // Cables that leave a leaf for the spines of its rail and pod.
  void cable_leaf(std::uint32_t unit, std::uint32_t rail) {
    const std::uint32_t each = plan_.leaf_uplinks / plan_.spines_per_rail;
    const std::uint32_t pod = unit / plan_.units_per_pod;
    for (std::uint32_t i = 0; i < plan_.leaf_uplinks; ++i) {
      const std::uint32_t down_port = unit % plan_.units_per_pod * each + i % each + 1;
      cable(end(leaf(unit, rail), plan_.nodes_per_unit + i + 1),
            end(spine(pod, rail, i / each), down_port), {});
    }
  }

  void cable_spine(std::uint32_t pod, std::uint32_t rail, std::uint32_t number) {
    const std::uint32_t each = plan_.spine_uplinks / plan_.cores_per_spine;
    const std::uint32_t below = shape_.spine_ports - plan_.spine_uplinks;
    for (std::uint32_t i = 0; i < plan_.spine_uplinks; ++i) {
      const std::uint32_t down_port = (pod * plan_.rails + rail) * each + i % each + 1;
      cable(end(spine(pod, rail, number), below + i + 1), end(core(number, i / each), down_port),
            {});
    }
  }

  struct End {
    Guid vertex;
    PortNumber port;
  };
  static End end(std::uint32_t switch_index, std::uint32_t port) {
    return {switch_guid(switch_index), PortNumber(static_cast<std::uint8_t>(port))};
  }

  void cable(End a, End b, const std::string& name_of_a) {
    draft_.ends.push_back({a.vertex, a.port, b.vertex, b.port, plan_.rate, {}});
    draft_.ends.push_back({b.vertex, b.port, a.vertex, a.port, plan_.rate, name_of_a});
  }

  Lid next_lid() { return Lid(++last_lid_); }

  const FatTree& plan_;
  const Shape& shape_;
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

Result<FabricDraft> draft_fat_tree(const FatTree& plan) {
  const Shape shape = WEIR_TRY(shape_of(plan));
  return Builder(plan, shape).build();
}

Result<Snapshot> generate(const FatTree& plan) { return assemble(WEIR_TRY(draft_fat_tree(plan))); }

}  // namespace weir::fabric
