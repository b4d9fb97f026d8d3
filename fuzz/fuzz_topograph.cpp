// Any bytes as topograph's YAML: an error, or a topology whose tree keeps its promises.
#include "fabric_checks.hpp"
#include "formats/topograph.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto topology = weir::fuzz::read<weir::TopographReader>(data, size);
  if (topology) static_cast<void>(weir::fuzz::check_tree(*topology));
  return 0;
}
