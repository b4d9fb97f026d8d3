// Any bytes as a plain list of nodes and blocks: an error, or blocks that make a tree.
#include "fabric_checks.hpp"
#include "formats/block_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto topology = weir::fuzz::read<weir::BlockListReader>(data, size);
  if (topology) static_cast<void>(weir::fuzz::check_tree(*topology));
  return 0;
}
