#include "fabric/reference_fabrics.hpp"

#include <algorithm>
#include <array>

#include "base/assert.hpp"

namespace weir::fabric {
namespace {

using enum FigureSource;

constexpr std::string_view kA100 = "DGX A100 (HDR)";
constexpr std::string_view kH100 = "DGX H100/H200 (NDR)";
constexpr std::string_view kB200 = "DGX B200 (NDR)";
constexpr std::string_view kB300 = "DGX B300 (XDR)";
constexpr std::string_view kGb200 = "DGX GB200 NVL72 (NDR)";

// Figures of NVIDIA's DGX SuperPOD reference architectures for A100, H100/H200, B200, B300 and
// GB200 (tables of larger scalable-unit counts). H100 units begin with one of 31 nodes: four of the
// ports so freed serve the fabric managers, hence 252 cables for 248 adapters.
constexpr std::array kFabrics{
    ReferenceFabric{"dgx-a100-20", kA100, kDerived, 20, 160, 8, 4, 0, 160, 160, 0},
    ReferenceFabric{"dgx-a100-140", kA100, kRecalled, 140, 1120, 56, 80, 28, 1120, 1120, 1120},
    ReferenceFabric{"dgx-h100-31", kH100, kPrinted, 31, 248, 8, 4, 0, 252, 256, 0},
    ReferenceFabric{"dgx-h100-63", kH100, kPrinted, 63, 504, 16, 8, 0, 508, 512, 0},
    ReferenceFabric{"dgx-h100-95", kH100, kPrinted, 95, 760, 24, 16, 0, 764, 768, 0},
    ReferenceFabric{"dgx-h100-127", kH100, kPrinted, 127, 1016, 32, 16, 0, 1020, 1024, 0},
    ReferenceFabric{"dgx-b200-64", kB200, kPrinted, 64, 512, 16, 8, 0, 512, 512, 0},
    ReferenceFabric{"dgx-b200-128", kB200, kPrinted, 128, 1024, 32, 16, 0, 1024, 1024, 0},
    ReferenceFabric{"dgx-b200-256", kB200, kPrinted, 256, 2048, 64, 32, 0, 2048, 2048, 0},
    ReferenceFabric{"dgx-b200-512", kB200, kPrinted, 512, 4096, 128, 128, 64, 4096, 4096, 4096},
    ReferenceFabric{"dgx-b200-1024", kB200, kPrinted, 1024, 8192, 256, 256, 128, 8192, 8192, 8192},
    ReferenceFabric{"dgx-b200-2048", kB200, kPrinted, 2048, 16384, 512, 512, 256, 16384, 16384,
                    16384},
    ReferenceFabric{"dgx-b300-72", kB300, kPrinted, 72, 576, 8, 4, 0, 576, 576, 0},
    ReferenceFabric{"dgx-b300-144", kB300, kPrinted, 144, 1152, 16, 8, 0, 1152, 1152, 0},
    ReferenceFabric{"dgx-b300-288", kB300, kPrinted, 288, 2304, 32, 18, 0, 2304, 2304, 0},
    ReferenceFabric{"dgx-b300-576", kB300, kPrinted, 576, 4608, 64, 36, 0, 4608, 4608, 0},
    ReferenceFabric{"dgx-b300-1296", kB300, kPrinted, 1296, 10368, 144, 72, 0, 10368, 10368, 0},
    ReferenceFabric{"gb200-nvl72-1", kGb200, kOurs, 18, 72, 4, 2, 0, 72, 72, 0},
    ReferenceFabric{"gb200-nvl72-8", kGb200, kDerived, 144, 576, 18, 9, 0, 576, 576, 0},
};

// Two levels: every leaf reaches every spine.
void flatten(FatTree& plan, const ReferenceFabric& fabric) {
  plan.shared_spines = true;
  plan.units_per_pod = (fabric.leaves + plan.rails - 1) / plan.rails;
  plan.spines_per_rail = fabric.spines;
  plan.cores_per_spine = 0;
}

// Three levels: each rail of a pod has spines of its own. The documents leave the size of a pod of
// the NDR fabrics open; 16 units let every leaf reach 16 spines by two cables each.
void stack(FatTree& plan, const ReferenceFabric& fabric) {
  const std::uint32_t units = fabric.leaves / plan.rails;
  plan.units_per_pod = std::min(units, 16U);
  const std::uint32_t pods = units / plan.units_per_pod;
  plan.spines_per_rail = fabric.spines / pods / plan.rails;
  plan.spine_uplinks = fabric.core_cables / fabric.spines;
  plan.cores_per_spine = fabric.cores / plan.spines_per_rail;
}

}  // namespace

std::span<const ReferenceFabric> reference_fabrics() { return kFabrics; }

const ReferenceFabric* reference_fabric_called(std::string_view name) {
  const auto at = std::ranges::find(kFabrics, name, &ReferenceFabric::name);
  return at == kFabrics.end() ? nullptr : &*at;
}

FatTree plan_of(const ReferenceFabric& fabric) {
  FatTree plan;
  plan.nodes = fabric.nodes;
  plan.rails = fabric.gpus / fabric.nodes;
  plan.switch_ports = fabric.family == kA100 ? 40 : fabric.family == kB300 ? 144 : 64;
  plan.nodes_per_unit = plan.switch_ports / 2;
  plan.leaf_uplinks = fabric.spine_cables / fabric.leaves;
  plan.node_name = "dgx";
  if (fabric.family == kA100) plan.rate.speed = LinkSpeed::kHdr;
  if (fabric.family == kB300) plan.rate.speed = LinkSpeed::kXdr;
  if (fabric.cores == 0) {
    flatten(plan, fabric);
  } else {
    stack(plan, fabric);
  }
  if (fabric.family == kH100) {
    plan.first_unit_nodes = 31;
    plan.manager_ports = fabric.node_cables - fabric.gpus;
  }
  if (fabric.name == "dgx-a100-140") {
    // A core has 40 ports, so 14 of them serve 5 of the 10 spines of each of the 8 rails.
    plan.core_groups = 2;
    plan.cores_per_spine = fabric.cores / plan.core_groups;
  }
  if (fabric.family == kGb200) {
    // Trays with one adapter a GPU. 144 of them are four units and a half, and 18 leaves hold
    // them only if those of the half unit carry two rails each.
    plan.node_name = "gb200-";
    plan.packed_leaves = fabric.nodes > plan.nodes_per_unit;
  }
  return plan;
}

std::string_view to_text(FigureSource source) {
  switch (source) {
    case kPrinted: return "printed";
    case kDerived: return "derived";
    case kRecalled: return "recalled";
    case kOurs: return "ours";
  }
  WEIR_ASSERT(false);
}

}  // namespace weir::fabric
