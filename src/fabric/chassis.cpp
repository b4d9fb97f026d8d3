// Director chassis: many switches in one box, told by one system image GUID, by the number that
// `ibnetdiscover -g` gave the box, or by names like "MF0;big:CS7500/L01/U1".
#include <algorithm>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "fabric/analysis.hpp"
#include "fabric/disjoint_sets.hpp"

namespace weir::fabric {
namespace {

// "big" of "MF0;big:CS7500/L01/U1": only leaf (L) and spine (S) modules are parts of a director.
std::optional<std::string> director_name(std::string_view description) {
  const std::size_t begin = description.find(';');
  const std::size_t colon = description.rfind(':');
  if (begin == std::string_view::npos || colon == std::string_view::npos || colon < begin + 2)
    return std::nullopt;
  const std::string_view module = description.substr(colon);
  if (module.find("/L") == std::string_view::npos && module.find("/S") == std::string_view::npos)
    return std::nullopt;
  return std::string(description.substr(begin + 1, colon - begin - 1));
}

std::string common_name(const Snapshot& graph, const std::vector<VertexId>& switches) {
  for (const VertexId at : switches)
    if (auto name = director_name(graph.at(at).description)) return *std::move(name);
  const Vertex& first = graph.at(switches.front());
  return first.system_image != Guid(0) ? to_text(first.system_image) : label(first);
}

}  // namespace

void find_chassis(SiteView& view) {
  const Snapshot& graph = view.graph;
  DisjointSets sets(graph.vertices.size());
  std::map<Guid, std::size_t> by_image;
  std::map<std::uint32_t, std::size_t> by_number;
  std::map<std::string, std::size_t> by_name;
  for (std::size_t v = 0; v < graph.vertices.size(); ++v) {
    const Vertex& vertex = graph.vertices[v];
    if (vertex.kind != VertexKind::kSwitch) continue;
    if (vertex.system_image != Guid(0))
      sets.join(by_image.try_emplace(vertex.system_image, v).first->second, v);
    if (vertex.chassis != 0) sets.join(by_number.try_emplace(vertex.chassis, v).first->second, v);
    if (const auto name = director_name(vertex.description))
      sets.join(by_name.try_emplace(*name, v).first->second, v);
  }
  std::map<std::size_t, std::vector<VertexId>> boxes;
  for (std::uint32_t v = 0; v < graph.vertices.size(); ++v)
    if (graph.vertices[v].kind == VertexKind::kSwitch) boxes[sets.root(v)].push_back(VertexId(v));
  for (auto& [root, switches] : boxes)
    if (switches.size() > 1)
      view.chassis.push_back({common_name(graph, switches), std::move(switches)});
  std::ranges::sort(view.chassis, [](const Chassis& a, const Chassis& b) {
    if (const auto order = natural_compare(a.name, b.name); order != 0) return order < 0;
    return a.switches < b.switches;
  });
}

}  // namespace weir::fabric
