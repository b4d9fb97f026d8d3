#include "fabric/link_load.hpp"

namespace weir::fabric {

std::optional<LinkLoad::Busy> LinkLoad::busiest(const Snapshot& graph) const {
  std::optional<Busy> best;
  for (const Channel channel : touched_) {
    const Link& link = graph.at(channel.link);
    if (graph.at(link.a.vertex).kind != VertexKind::kSwitch ||
        graph.at(link.b.vertex).kind != VertexKind::kSwitch)
      continue;
    const std::uint32_t routes = on(channel);
    const bool busier = !best || routes > best->routes ||
                        (routes == best->routes && channel.index() < best->channel.index());
    if (busier) best = Busy{channel, routes};
  }
  return best;
}

}  // namespace weir::fabric
