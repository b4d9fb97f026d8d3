// What the fuzz targets of fabric formats share: bytes given to a reader line by line, and what
// must hold for everything that a reader accepts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>
#include <utility>

#include "base/assert.hpp"
#include "base/text.hpp"
#include "fabric/difference.hpp"
#include "fabric/graph.hpp"
#include "fabric/site_tree.hpp"

namespace weir::fuzz {

template <typename Reader>
auto read(const std::uint8_t* data, std::size_t size)
    -> decltype(std::declval<Reader&>().finish()) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Reader reader;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n'))
    if (Status status = reader.line(line, ++number); !status)
      return std::unexpected(status.error());
  return reader.finish();
}

inline void check_graph(const fabric::Snapshot& snapshot) {
  for (std::uint32_t v = 0; v < snapshot.vertices.size(); ++v)
    for (const fabric::Hop& hop : snapshot.hops(fabric::VertexId(v))) {
      WEIR_ASSERT(hop.peer != fabric::VertexId(v));
      WEIR_ASSERT(hop.port.value() <= snapshot.vertices[v].port_count);
      WEIR_ASSERT(hop.peer_port.value() <= snapshot.at(hop.peer).port_count);
    }
  WEIR_ASSERT(fabric::differences(snapshot, snapshot).empty());
}

// Nothing where the blocks do not fit the switches or the site is too large: an error said so.
inline std::optional<fabric::SiteTree> check_tree(const fabric::NamedTopology& topology) {
  auto tree = fabric::tree_of(topology);
  if (!tree) return std::nullopt;
  WEIR_ASSERT(check(tree->locality).has_value());
  for (std::size_t n = 0; n < tree->nodes.size(); ++n) {
    WEIR_ASSERT(tree->nodes[n].cell.index() < tree->locality.levels.front().domains.size());
    WEIR_ASSERT(n == 0 || tree->nodes[n - 1].cell <= tree->nodes[n].cell);
  }
  WEIR_ASSERT(fabric::differences(*tree, *tree).empty());
  return *std::move(tree);
}

}  // namespace weir::fuzz
