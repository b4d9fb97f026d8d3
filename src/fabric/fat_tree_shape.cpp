#include "fabric/fat_tree_shape.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir::fabric {
namespace {

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); }

Status check_counts(const FatTree& plan) {
  if (plan.nodes == 0 || plan.rails == 0 || plan.nodes_per_unit == 0 || plan.units_per_pod == 0 ||
      plan.spines_per_rail == 0 || plan.leaf_uplinks == 0 || plan.planes == 0)
    return bad_input("fat tree: nodes, rails, planes, units, spines and uplinks must not be zero");
  if (plan.nodes > limits::kNodes || plan.rails > limits::kRails)
    return over_limit(fmt::format("fat tree: {} nodes and {} rails, at most {} and {}", plan.nodes,
                                  plan.rails, limits::kNodes, limits::kRails));
  if (plan.rails % plan.planes != 0)
    return bad_input(fmt::format("fat tree: {} rails do not divide evenly among {} planes",
                                 plan.rails, plan.planes));
  if ((!plan.packed_leaves && plan.leaf_uplinks % plan.spines_per_rail != 0) ||
      (plan.cores_per_spine != 0 && plan.spine_uplinks % plan.cores_per_spine != 0))
    return bad_input("fat tree: uplinks must divide evenly among the switches above");
  if (plan.core_groups != 0 && plan.spines_per_rail % plan.core_groups != 0)
    return bad_input(fmt::format("fat tree: {} spines do not divide evenly among {} core groups",
                                 plan.spines_per_rail, plan.core_groups));
  if (plan.packed_leaves &&
      (!plan.shared_spines || plan.cores_per_spine != 0 || plan.first_unit_nodes != 0))
    return bad_input("fat tree: packed leaves need shared spines, no cores and a full first unit");
  if (plan.first_unit_nodes > plan.nodes_per_unit)
    return bad_input("fat tree: the first unit cannot have more nodes than the others");
  const std::uint32_t free = plan.nodes_per_unit - std::min(plan.first_unit_nodes, plan.nodes);
  if (plan.packed_leaves && plan.units_per_pod * plan.nodes_per_unit < plan.nodes)
    return bad_input("fat tree: packed leaves fit into one pod only");
  if (plan.manager_ports != 0 &&
      (plan.first_unit_nodes == 0 || plan.manager_ports > free * (plan.rails / plan.planes)))
    return bad_input("fat tree: the first unit has no free ports for the fabric managers");
  return {};
}

Status check_ports(const FatTree& plan, const FatTreeShape& shape) {
  const std::uint32_t most = std::max({shape.leaf_ports, shape.spine_ports, shape.core_ports});
  const std::uint32_t allowed = plan.switch_ports != 0 ? plan.switch_ports : limits::kPortNumber;
  if (most > allowed)
    return over_limit(
        fmt::format("fat tree: a switch would need {} ports, at most {} exist", most, allowed));
  return {};
}

}  // namespace

Status check_lids(std::uint64_t lids, std::uint32_t rails, std::uint32_t planes) {
  if (lids <= limits::kLastUnicastLid) return {};
  return over_limit(fmt::format(
      "fat tree: one plane would need {} LIDs, and unicast LIDs end at {} (0xBFFF): spread the {} "
      "rails over more planes than {}",
      with_thousands(lids), with_thousands(limits::kLastUnicastLid), rails, planes));
}

Result<FatTreeShape> shape_of(const FatTree& plan) {
  WEIR_TRY(check_counts(plan));
  FatTreeShape shape;
  shape.rails = plan.rails / plan.planes;
  const std::uint32_t missing =
      plan.first_unit_nodes == 0 ? 0 : plan.nodes_per_unit - plan.first_unit_nodes;
  shape.units = ceil_div(plan.nodes + missing, plan.nodes_per_unit);
  shape.leaves = shape.units * shape.rails;
  if (plan.packed_leaves && plan.nodes % plan.nodes_per_unit != 0) {
    shape.packed_nodes = plan.nodes % plan.nodes_per_unit;
    shape.leaves = (shape.units - 1) * shape.rails +
                   ceil_div(shape.packed_nodes * shape.rails, plan.nodes_per_unit);
  }
  shape.pods = ceil_div(shape.units, plan.units_per_pod);
  shape.spine_groups = shape.pods * (plan.shared_spines ? 1 : shape.rails);
  shape.spines = shape.spine_groups * plan.spines_per_rail;
  shape.leaf_ports = plan.nodes_per_unit + plan.leaf_uplinks;
  const std::uint32_t leaves_below =
      plan.packed_leaves ? shape.leaves
                         : plan.units_per_pod * (plan.shared_spines ? shape.rails : 1);
  shape.spine_down = ceil_div(leaves_below * plan.leaf_uplinks, plan.spines_per_rail);
  shape.spine_ports = shape.spine_down;
  if (plan.cores_per_spine != 0) {
    shape.core_groups = plan.core_groups != 0 ? plan.core_groups : plan.spines_per_rail;
    shape.cores = shape.core_groups * plan.cores_per_spine;
    shape.spine_ports += plan.spine_uplinks;
    shape.core_ports = shape.spine_groups * (plan.spines_per_rail / shape.core_groups) *
                       (plan.spine_uplinks / plan.cores_per_spine);
  }
  const std::uint64_t hcas = std::uint64_t{plan.nodes} * shape.rails + plan.manager_ports;
  WEIR_TRY(check_lids(hcas + shape.switches(), plan.rails, plan.planes));
  WEIR_TRY(check_ports(plan, shape));
  for (std::uint32_t* ports : {&shape.leaf_ports, &shape.spine_ports, &shape.core_ports})
    *ports = std::max(*ports, plan.switch_ports);
  return shape;
}

LeafPlace place_of(const FatTree& plan, const FatTreeShape& shape, std::uint32_t node,
                   std::uint32_t rail) {
  std::uint32_t slot = node;
  if (plan.first_unit_nodes != 0 && node >= plan.first_unit_nodes)
    slot += plan.nodes_per_unit - plan.first_unit_nodes;
  const std::uint32_t unit = slot / plan.nodes_per_unit;
  if (shape.is_packed(unit * shape.rails)) {
    const std::uint32_t hca = rail * shape.packed_nodes + slot % plan.nodes_per_unit;
    return {unit * shape.rails + hca / plan.nodes_per_unit, unit, hca % plan.nodes_per_unit + 1};
  }
  return {unit * shape.rails + rail, unit, slot % plan.nodes_per_unit + 1};
}

}  // namespace weir::fabric
