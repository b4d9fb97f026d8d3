// Any bytes as Slurm's topology.conf: an error, or a topology whose tree keeps its promises and is
// the same when written and read again.
#include "base/assert.hpp"
#include "fabric_checks.hpp"
#include "formats/topology_conf.hpp"
#include "formats/topology_conf_writer.hpp"

namespace {

weir::Result<weir::fabric::NamedTopology> again(const std::string& text) {
  return weir::fuzz::read<weir::TopologyConfReader>(
      reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto topology = weir::fuzz::read<weir::TopologyConfReader>(data, size);
  if (!topology) return 0;
  const auto tree = weir::fuzz::check_tree(*topology);
  if (!tree) return 0;
  if (const auto text = weir::write_topology_tree(*tree)) {
    const auto read = again(*text);
    WEIR_ASSERT(read.has_value());
    const auto same = weir::fabric::tree_of(*read);
    WEIR_ASSERT(same && same->nodes.size() == tree->nodes.size());
  }
  if (const auto text = weir::write_topology_blocks(*tree)) WEIR_ASSERT(again(*text).has_value());
  return 0;
}
