// Any bytes as an ibnetdiscover file: an error, or a fabric whose analysis keeps its promises.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "fabric/site_view.hpp"
#include "formats/ibnetdiscover.hpp"
#include "formats/ibnetdiscover_writer.hpp"

namespace {

weir::Result<weir::fabric::Snapshot> read(std::string_view text) {
  weir::IbnetdiscoverReader reader;
  std::size_t number = 0;
  for (const std::string_view line : weir::split(text, '\n'))
    if (weir::Status status = reader.line(line, ++number); !status)
      return std::unexpected(status.error());
  return reader.finish();
}

void check_graph(const weir::fabric::Snapshot& snapshot) {
  using namespace weir::fabric;
  for (std::uint32_t v = 0; v < snapshot.vertices.size(); ++v)
    for (const Hop& hop : snapshot.hops(VertexId(v))) {
      WEIR_ASSERT(hop.peer != VertexId(v));
      WEIR_ASSERT(hop.port.value() <= snapshot.vertices[v].port_count);
      WEIR_ASSERT(hop.peer_port.value() <= snapshot.at(hop.peer).port_count);
    }
}

void check_view(const weir::fabric::SiteView& view) {
  using namespace weir;
  WEIR_ASSERT(check(fabric::locality(view)).has_value());
  std::size_t nodes = 0;
  for (std::uint32_t u = 0; u < view.units.size(); ++u) {
    WEIR_ASSERT(view.units[u].first_node == nodes && view.units[u].node_count > 0);
    for (std::uint32_t n = 0; n < view.units[u].node_count; ++n)
      WEIR_ASSERT(view.nodes[nodes + n].unit == DomainId(u) && view.nodes[nodes + n].rails != 0);
    nodes += view.units[u].node_count;
  }
  WEIR_ASSERT(nodes == view.nodes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto snapshot = read({reinterpret_cast<const char*>(data), size});
  if (!snapshot) return 0;
  check_graph(*snapshot);
  const auto again = read(weir::write_ibnetdiscover(*snapshot));
  WEIR_ASSERT(again && again->links.size() == snapshot->links.size());
  check_view(weir::fabric::analyse(*std::move(snapshot)));
  return 0;
}
