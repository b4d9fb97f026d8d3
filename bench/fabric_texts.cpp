// Fabrics as text: one rail-optimised plane in every format that has cables or tables, and a site
// by names, each name written out.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "fabric/fat_tree_rules.hpp"
#include "fabric/routing.hpp"
#include "formats/fabric_file.hpp"
#include "formats/ibnetdiscover_writer.hpp"
#include "formats/lfts_writer.hpp"
#include "reader_texts.hpp"

namespace weir::bench {
namespace {

using fabric::Snapshot;
using fabric::Subnet;
using fabric::Vertex;
using fabric::VertexKind;

constexpr std::uint32_t kRails = 4;
constexpr std::uint32_t kNodesPerLeaf = 32;
constexpr std::uint32_t kLeavesPerPod = 16;

struct Count {
  std::size_t operator()(const Snapshot& graph) const { return graph.links.size(); }
  std::size_t operator()(const fabric::NamedTopology& names) const {
    std::size_t nodes = 0;
    for (const auto& one : names.switches) nodes += one.nodes.size();
    for (const auto& one : names.blocks) nodes += one.nodes.size();
    return nodes;
  }
  std::size_t operator()(const fabric::ForwardingTables& tables) const {
    std::size_t entries = 0;
    for (const fabric::ForwardingTable& table : tables.switches)
      entries += table.out_port.size() -
                 static_cast<std::size_t>(std::ranges::count(table.out_port, fabric::kNoRoute));
    return entries;
  }
};

Result<std::size_t> read_fabric(std::string_view text) {
  FabricFileReader reader;
  return std::visit(Count(), WEIR_TRY(read_lines(reader, text)));
}

Result<std::size_t> read_block_list(std::string_view text) {
  FabricFileReader reader(FabricFormat::kBlockList);
  return std::visit(Count(), WEIR_TRY(read_lines(reader, text)));
}

Result<Snapshot> fabric_of(std::uint32_t nodes) {
  fabric::FatTreeWish wish;
  wish.nodes = nodes;
  wish.rails = kRails;
  return fabric::generate(WEIR_TRY(fabric::plan_fat_tree(wish)));
}

// One end of a cable: a vertex of our generator has one address.
struct End {
  const Vertex& vertex;
  unsigned port;
  [[nodiscard]] const fabric::PortAddress& address() const { return vertex.addresses.front(); }
  [[nodiscard]] std::string_view kind() const {
    return vertex.kind == VertexKind::kSwitch ? "SW" : "CA";
  }
};

// What `write(own, far)` makes of each end of each cable.
template <typename Write>
std::string of_ends(const Snapshot& graph, Write write) {
  std::string text;
  for (std::uint32_t v = 0; v < graph.vertices.size(); ++v)
    for (const fabric::Hop& hop : graph.hops(fabric::VertexId(v)))
      text += write(End{graph.vertices[v], hop.port.value()},
                    End{graph.at(hop.peer), hop.peer_port.value()});
  return text;
}

std::string port_list(const Snapshot& graph) {
  const auto end = [](const End& one) {
    return fmt::format("{} {:5} {:2} {}", one.kind(), one.address().lid.value(), one.port,
                       fabric::to_text(one.address().guid));
  };
  return of_ends(graph, [&](const End& own, const End& far) {
    return fmt::format("{} 4x NDR - {} ( '{}' - '{}' )\n", end(own), end(far),
                       own.vertex.description, far.vertex.description);
  });
}

std::string subnet_list(const Snapshot& graph) {
  const auto end = [](const End& one) {
    return fmt::format(
        "{{ {} Ports:{:02X} SystemGUID:{:016x} NodeGUID:{:016x} PortGUID:{:016x} VenID:0002C9 "
        "DevID:D2F0 Rev:000000A1 {{{}}} LID:{:04X} PN:{:02X} }}",
        one.kind(), one.vertex.port_count, one.vertex.system_image.value(), one.vertex.guid.value(),
        one.address().guid.value(), one.vertex.description, one.address().lid.value(), one.port);
  };
  return of_ends(graph, [&](const End& own, const End& far) {
    return fmt::format("{} {} PHY=4x LOG=ACT SPD=100\n", end(own), end(far));
  });
}

std::string fdbs(const fabric::ForwardingTables& tables) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const fabric::ForwardingTable& table : tables.switches) {
    fmt::format_to(out, "dump_ucast_routes: Switch {}\nLID    : Port : Hops : Optimal\n",
                   fabric::to_text(table.switch_guid));
    for (std::size_t lid = 1; lid < table.out_port.size(); ++lid)
      if (table.out_port[lid] != fabric::kNoRoute)
        fmt::format_to(out, "0x{:04X} : {:03}  : 02   : yes\n", lid, table.out_port[lid]);
  }
  return text;
}

std::string node_name(std::uint32_t node) { return fmt::format("gpu{:05}", node + 1); }

// "gpu00001,gpu00002,…" of one leaf, with that text between the names.
std::string nodes_of_leaf(std::uint32_t leaf, std::string_view between) {
  std::string text;
  for (std::uint32_t n = 0; n < kNodesPerLeaf; ++n) {
    if (n > 0) text += between;
    text += node_name(leaf * kNodesPerLeaf + n);
  }
  return text;
}

std::string topology_tree(std::uint32_t leaves) {
  std::string text;
  const std::uint32_t pods = leaves / kLeavesPerPod;
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
    text += fmt::format("SwitchName=leaf{} Nodes={}\n", leaf + 1, nodes_of_leaf(leaf, ","));
  for (std::uint32_t pod = 0; pod < pods; ++pod)
    text += fmt::format("SwitchName=spine{} Switches=leaf[{}-{}]\n", pod + 1,
                        pod * kLeavesPerPod + 1, (pod + 1) * kLeavesPerPod);
  return text + fmt::format("SwitchName=core Switches=spine[1-{}]\n", pods);
}

std::string topology_blocks(std::uint32_t leaves) {
  std::string text;
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
    text += fmt::format("BlockName=rack{} Nodes={}\n", leaf + 1, nodes_of_leaf(leaf, ","));
  return text + fmt::format("BlockSizes={}\n", kNodesPerLeaf);
}

std::string topograph(std::uint32_t leaves) {
  std::string text = "switches:\n";
  for (std::uint32_t pod = 0; pod < leaves / kLeavesPerPod; ++pod)
    text += fmt::format("  spine{}:\n    switches: [\"leaf[{}-{}]\"]\n", pod + 1,
                        pod * kLeavesPerPod + 1, (pod + 1) * kLeavesPerPod);
  text += "blocks:\n";
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
    text += fmt::format("- switch: leaf{}\n  nodes: [{}]\n", leaf + 1, nodes_of_leaf(leaf, ", "));
  return text;
}

std::string block_list(std::uint32_t leaves) {
  std::string text;
  for (std::uint32_t node = 0; node < leaves * kNodesPerLeaf; ++node)
    text += fmt::format("{} rack{}\n", node_name(node), node / kNodesPerLeaf + 1);
  return text;
}

}  // namespace

Result<std::vector<ReaderText>> fabric_texts(TextSize size) {
  const Snapshot cables = WEIR_TRY(fabric_of((size.quick ? 64 : 1'024) * size.scale));
  // Tables grow with switches times LIDs.
  const double by_square = std::sqrt(static_cast<double>(size.scale)) * (size.quick ? 64 : 256);
  const Snapshot routed = WEIR_TRY(fabric_of(static_cast<std::uint32_t>(by_square)));
  const Subnet subnet = WEIR_TRY(fabric::subnets_of(routed)).front();
  // minhop routes a tree of any size.
  const fabric::RoutingOptions rule{fabric::RoutingRule::kMinhop, {}, false};
  const fabric::ForwardingTables tables = WEIR_TRY(fabric::compute_tables(subnet, rule));
  const std::size_t entries = Count()(tables);
  const std::uint32_t leaves = (size.quick ? 16 : 128) * size.scale;
  const std::size_t nodes = std::size_t{leaves} * kNodesPerLeaf;
  return std::vector<ReaderText>{
      {"ibnetdiscover", write_ibnetdiscover(cables), cables.links.size(), read_fabric},
      {"ibnetdiscover -p", port_list(cables), cables.links.size(), read_fabric},
      {"opensm-subnet.lst", subnet_list(cables), cables.links.size(), read_fabric},
      {"opensm-lfts.dump", write_lfts(routed, subnet, tables), entries, read_fabric},
      {"opensm.fdbs", fdbs(tables), entries, read_fabric},
      {"topology.conf, tree", topology_tree(leaves), nodes, read_fabric},
      {"topology.conf, block", topology_blocks(leaves), nodes, read_fabric},
      {"topograph", topograph(leaves), nodes, read_fabric},
      {"blocks", block_list(leaves), nodes, read_block_list},
  };
}

}  // namespace weir::bench
