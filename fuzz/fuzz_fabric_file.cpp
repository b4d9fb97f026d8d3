// Any bytes as a fabric file of unknown format: an error, or what one of the readers makes of it.
#include <variant>

#include "fabric_checks.hpp"
#include "formats/fabric_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto content = weir::fuzz::read<weir::FabricFileReader>(data, size);
  if (!content) return 0;
  if (const auto* snapshot = std::get_if<weir::fabric::Snapshot>(&*content))
    weir::fuzz::check_graph(*snapshot);
  if (const auto* topology = std::get_if<weir::fabric::NamedTopology>(&*content))
    static_cast<void>(weir::fuzz::check_tree(*topology));
  return 0;
}
