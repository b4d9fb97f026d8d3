// Any bytes as what `ibnetdiscover -p` prints: an error, or a graph that keeps its promises.
#include "fabric_checks.hpp"
#include "formats/port_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto snapshot = weir::fuzz::read<weir::PortListReader>(data, size);
  if (snapshot) weir::fuzz::check_graph(*snapshot);
  return 0;
}
