#include "fabric/link_load.hpp"

namespace weir::fabric {

std::optional<LinkLoad::Busy> LinkLoad::busiest(const Snapshot& graph) const {
  std::optional<Busy> best;
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    const Link& link = graph.links[l];
    if (graph.at(link.a.vertex).kind != VertexKind::kSwitch ||
        graph.at(link.b.vertex).kind != VertexKind::kSwitch)
      continue;
    for (const bool forward : {true, false}) {
      const Channel channel{LinkId(l), forward};
      if (on(channel) > (best ? best->routes : 0)) best = Busy{channel, on(channel)};
    }
  }
  return best;
}

}  // namespace weir::fabric
