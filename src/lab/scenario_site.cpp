#include "lab/scenario_site.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

namespace weir::lab {
namespace {

std::unexpected<Error> at_line(std::size_t line, std::string_view message) {
  return bad_input(fmt::format("line {}: {}", line, message));
}

constexpr std::size_t at(Level level) { return static_cast<std::size_t>(level); }

// A domain while the tree grows; children in the order of the file.
struct Branch {
  std::string name;
  std::vector<Branch> children;
  std::vector<Node> nodes;  // of a cell

  Branch& child(const std::string& wanted) {
    const auto found = std::ranges::find(children, wanted, &Branch::name);
    if (found != children.end()) return *found;
    return children.emplace_back(Branch{wanted, {}, {}});
  }
};

Node node_of(const ScenarioNodes& nodes, const std::string& name) {
  Node node;
  node.name = name;
  node.kind = nodes.kind;
  std::ranges::sort(node.kind.partitions);
  std::ranges::sort(node.kind.features);
  node.grade = nodes.grade;
  return node;
}

Status check_names(const ScenarioCase& one) {
  std::set<std::string> names;
  for (const ScenarioNodes& nodes : one.nodes)
    for (const std::string& name : nodes.names)
      if (!names.insert(name).second)
        return at_line(nodes.line, fmt::format("a node {} stands above already", quoted(name)));
  if (names.empty()) return at_line(one.line, "the case has no node: expected node n1 gpus = 8");
  return {};
}

// Writes the tree down level by level, parents in order, and the nodes in order of their cells.
void flatten(const Branch& branch, std::size_t depth, DomainId parent, ScenarioSite& site) {
  std::vector<LevelTable>& levels = site.locality.levels;
  std::vector<Domain>& domains = levels[depth].domains;
  const DomainId id(static_cast<std::uint32_t>(domains.size()));
  domains.push_back({parent, branch.name});
  if (depth == 0) {
    for (Node node : branch.nodes) {
      node.cell = id;
      site.nodes.push_back(std::move(node));
    }
    return;
  }
  for (const Branch& child : branch.children) flatten(child, depth - 1, id, site);
}

ScenarioSite site_by_names(const ScenarioCase& one) {
  const bool blocks = std::ranges::any_of(
      one.nodes, [](const ScenarioNodes& n) { return !n.place[at(Level::kBlock)].empty(); });
  std::vector<Level> levels{Level::kUnit, Level::kPod, Level::kFabric, Level::kSite};
  if (blocks) levels.insert(levels.begin(), Level::kBlock);
  Branch root{"site", {}, {}};
  for (const ScenarioNodes& nodes : one.nodes) {
    Branch* branch = &root;
    for (std::size_t depth = levels.size() - 1; depth > 0; --depth) {
      const std::string& name = nodes.place[at(levels[depth - 1])];
      branch = &branch->child(name.empty() ? std::string(to_text(levels[depth - 1])) : name);
    }
    for (const std::string& name : nodes.names) branch->nodes.push_back(node_of(nodes, name));
  }
  ScenarioSite site;
  site.locality.known = true;
  for (const Level level : levels) site.locality.levels.push_back({level, {}});
  flatten(root, levels.size() - 1, DomainId::none(), site);
  return site;
}

// Cables the switches of a case as a dump would tell of them; GUIDs count up.
class Cabling {
 public:
  Result<fabric::Snapshot> snapshot(const ScenarioCase& one) {
    for (const ScenarioSwitch& sw : one.switches) WEIR_TRY(add(sw));
    return fabric::assemble(std::move(draft_));
  }

 private:
  Status add(const ScenarioSwitch& sw) {
    if (guids_.contains(sw.name))
      return at_line(sw.line, fmt::format("a switch {} stands above already", quoted(sw.name)));
    const Guid guid = vertex(sw.name, fabric::VertexKind::kSwitch);
    for (const std::string& below : sw.switches) {
      const auto found = guids_.find(below);
      if (found == guids_.end() || below == sw.name)
        return at_line(sw.line, fmt::format("no switch {} stands above", quoted(below)));
      WEIR_TRY(cable(sw.line, guid, found->second));
    }
    for (const std::string& host : sw.hosts) {
      const std::string name = fmt::format("{} mlx5_{}", host, sw.hca);
      const auto found = guids_.find(name);
      const Guid hca =
          found != guids_.end() ? found->second : vertex(name, fabric::VertexKind::kHca);
      WEIR_TRY(cable(sw.line, guid, hca));
    }
    return {};
  }

  Guid vertex(const std::string& name, fabric::VertexKind kind) {
    fabric::Vertex made;
    made.guid = Guid(0x1000 + draft_.vertices.size());
    made.kind = kind;
    made.port_count = kind == fabric::VertexKind::kSwitch ? limits::kPortNumber : 2;
    made.description = name;
    draft_.vertices.push_back(made);
    guids_.emplace(name, made.guid);
    return made.guid;
  }

  Status cable(std::size_t line, Guid a, Guid b) {
    const std::uint32_t port_a = ++ports_[a];
    const std::uint32_t port_b = ++ports_[b];
    if (port_a > limits::kPortNumber || port_b > limits::kPortNumber)
      return at_line(line, fmt::format("more than {} cables at one switch", limits::kPortNumber));
    const fabric::PortNumber at_a(static_cast<std::uint8_t>(port_a));
    const fabric::PortNumber at_b(static_cast<std::uint8_t>(port_b));
    draft_.ends.push_back({a, at_a, b, at_b, {}, {}});
    draft_.ends.push_back({b, at_b, a, at_a, {}, {}});
    return {};
  }

  fabric::FabricDraft draft_;
  std::map<std::string, Guid> guids_;
  std::map<Guid, std::uint32_t> ports_;
};

Result<ScenarioSite> site_by_switches(const ScenarioCase& one) {
  ScenarioSite site;
  site.view = fabric::analyse(WEIR_TRY(Cabling().snapshot(one)));
  site.locality = fabric::locality(*site.view);
  site.nodes = fabric::pool_nodes(*site.view, {});
  std::map<std::string, Node*> by_name;
  for (Node& node : site.nodes) by_name.emplace(node.name, &node);
  for (const ScenarioNodes& nodes : one.nodes) {
    for (const std::string& name : nodes.names) {
      const auto found = by_name.find(name);
      if (found == by_name.end())
        return at_line(nodes.line, fmt::format("node {} is no compute node of the fabric: expected "
                                               "a host at one of the switches",
                                               quoted(name)));
      Node said = node_of(nodes, name);
      found->second->kind = std::move(said.kind);
      found->second->grade = said.grade;
    }
  }
  return site;
}

}  // namespace

Result<ScenarioSite> scenario_site(const ScenarioCase& one) {
  WEIR_TRY(check_names(one));
  return one.switches.empty() ? site_by_names(one) : site_by_switches(one);
}

}  // namespace weir::lab
