// ReferenceFabrics: the InfiniBand compute fabrics of NVIDIA's reference architectures, row by row,
// with the figures that the documents print (or that follow from them) and a tree that has them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "fabric/generator.hpp"

namespace weir::fabric {

enum class FigureSource : std::uint8_t {
  kPrinted,   // in a table of the reference architecture
  kDerived,   // follows from the ports of the switches
  kRecalled,  // from the reference architecture, not read again
  kOurs,      // the document gives no switches: built by our rule
};

struct ReferenceFabric {
  std::string_view name;  // "dgx-h100-127"
  std::string_view family;
  FigureSource source = FigureSource::kPrinted;
  std::uint32_t nodes = 0;
  std::uint32_t gpus = 0;
  std::uint32_t leaves = 0;
  std::uint32_t spines = 0;
  std::uint32_t cores = 0;
  // Ports of nodes and fabric managers; from leaves to spines; from spines to cores.
  std::uint32_t node_cables = 0;
  std::uint32_t spine_cables = 0;
  std::uint32_t core_cables = 0;
};

// By family, then size.
std::span<const ReferenceFabric> reference_fabrics();

// Null when no row has that name.
const ReferenceFabric* reference_fabric_called(std::string_view name);

FatTree plan_of(const ReferenceFabric& fabric);

// "printed", "derived", "recalled", "ours"
std::string_view to_text(FigureSource source);

}  // namespace weir::fabric
