#include "fabric/fat_tree_rules.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "fabric/fat_tree_shape.hpp"

namespace weir::fabric {
namespace {

// The least divisor of `number` that is `least` or more; nothing when even `number` is less.
std::optional<std::uint32_t> divisor_from(std::uint32_t number, std::uint32_t least) {
  for (std::uint32_t d = std::max(least, 1U); d <= number; ++d)
    if (number % d == 0) return d;
  return std::nullopt;
}

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// Pods of so many units; false when the cores have too few ports.
bool fits_in_pods(FatTree& plan, const FatTreeWish& wish, std::uint32_t units_per_pod) {
  const std::uint32_t rails = wish.rails / wish.planes;
  const std::uint32_t units = ceil_div(plan.nodes, plan.nodes_per_unit);
  const auto spines = divisor_from(
      plan.leaf_uplinks, ceil_div(units_per_pod * plan.leaf_uplinks, wish.switch_ports / 2));
  if (!spines) return false;
  plan.units_per_pod = units_per_pod;
  plan.spines_per_rail = *spines;
  plan.spine_uplinks = units_per_pod * (plan.leaf_uplinks / *spines);
  const std::uint32_t groups = ceil_div(units, units_per_pod) * rails;
  const auto cores =
      divisor_from(plan.spine_uplinks, ceil_div(groups * plan.spine_uplinks, wish.switch_ports));
  if (!cores) return false;
  plan.cores_per_spine = *cores;
  return true;
}

}  // namespace

Result<FatTree> plan_fat_tree(const FatTreeWish& wish) {
  if (wish.nodes == 0 || wish.rails == 0 || wish.planes == 0 || wish.rails % wish.planes != 0)
    return bad_input(fmt::format(
        "{} nodes, {} rails, {} planes: none may be zero, and rails divide evenly among planes",
        wish.nodes, wish.rails, wish.planes));
  if (wish.switch_ports < 4 || wish.switch_ports % 4 != 0)
    return bad_input(
        fmt::format("switches with {} ports: expected a multiple of 4, for example 40 "
                    "(HDR), 64 (NDR) or 144 (XDR)",
                    wish.switch_ports));
  // Said before any tree is tried: no number of ports helps.
  const std::uint64_t hcas = std::uint64_t{wish.nodes} * (wish.rails / wish.planes);
  WEIR_TRY(check_lids(hcas, wish.rails, wish.planes));
  const std::uint32_t half = wish.switch_ports / 2;
  if (wish.leaf_uplinks > half)
    return bad_input(fmt::format("{} uplinks of a leaf: at most {} of its {} ports are free",
                                 wish.leaf_uplinks, half, wish.switch_ports));
  FatTree plan;
  plan.nodes = wish.nodes;
  plan.rails = wish.rails;
  plan.planes = wish.planes;
  plan.rate = wish.rate;
  plan.switch_ports = wish.switch_ports;
  plan.nodes_per_unit = half;
  plan.leaf_uplinks = wish.leaf_uplinks == 0 ? half : wish.leaf_uplinks;
  const std::uint32_t units = ceil_div(plan.nodes, half);
  const std::uint32_t leaves = units * (wish.rails / wish.planes);
  if (const auto spines = divisor_from(plan.leaf_uplinks,
                                       ceil_div(leaves * plan.leaf_uplinks, wish.switch_ports))) {
    plan.shared_spines = true;
    plan.units_per_pod = units;
    plan.spines_per_rail = *spines;
    plan.cores_per_spine = 0;
  } else if (!fits_in_pods(plan, wish, half / 2) && !fits_in_pods(plan, wish, half)) {
    return bad_input(fmt::format(
        "no tree of three levels of {}-port switches joins {} nodes on {} rails in one plane: take "
        "more planes, or switches with more ports",
        wish.switch_ports, wish.nodes, wish.rails / wish.planes));
  }
  if (const auto counts = count_switches(plan); !counts) return std::unexpected(counts.error());
  return plan;
}

}  // namespace weir::fabric
